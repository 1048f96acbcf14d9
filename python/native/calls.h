#pragma once
// Unlocked: runs a call from Python without the global interpreter lock (GIL).

#include <pybind11/pybind11.h>

#include "base/error.h"
#include "learners/core/float_mode.h"

namespace okbench::python {

namespace py = pybind11;

/// Releases the GIL, sets the default floating-point mode, and runs `call`. REQUIRES: the caller holds the
/// GIL. If `call` throws Interrupted, throws the Python exception that the signal handler has set.
template <class Call>
void Unlocked(const Call& call) {
  try {
    const py::gil_scoped_release unlocked;
    const FloatMode mode;  // another module of the process may have set one
    call();
  } catch (const Interrupted&) {
    throw py::error_already_set();  // set by the signal handler
  }
}

/// Runs `call` with the GIL and returns its result. Throws as Unlocked does.
template <class Call>
auto Locked(const Call& call) {
  try {
    return call();
  } catch (const Interrupted&) {
    throw py::error_already_set();
  }
}

}  // namespace okbench::python
