#pragma once
// Calls from Python: without the interpreter's lock while they work, and with errors as Python has them.

#include <pybind11/pybind11.h>

#include "learners/core/error.h"

namespace okbench::python {

namespace py = pybind11;

/// Runs `call` without the interpreter's lock. Interrupted becomes the exception of the signal's handler.
template <class Call>
void Unlocked(const Call& call) {
  try {
    const py::gil_scoped_release unlocked;
    call();
  } catch (const Interrupted&) {
    throw py::error_already_set();  // set by the signal's handler
  }
}

}  // namespace okbench::python
