#pragma once
// Calls from Python: without the interpreter's lock while they work, and with errors as Python has them.

#include <pybind11/pybind11.h>

#include <new>

#include "harness/system/error.h"
#include "harness/system/memory.h"

namespace okbench::python {

namespace py = pybind11;

/// Calls what may take long. Interrupted becomes the exception of the signal's handler; memory that ran out
/// is told.
template <class Call>
void Unlocked(const Call& call) {
  try {
    const py::gil_scoped_release unlocked;
    try {
      call();
    } catch (...) {
      ForgetShortage();
      throw;
    }
    if (MemoryRanOut()) {
      ForgetShortage();
      throw std::bad_alloc();
    }
  } catch (const Interrupted&) {
    throw py::error_already_set();  // a signal's handler has set it
  }
}

}  // namespace okbench::python
