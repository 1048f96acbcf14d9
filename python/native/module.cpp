// okbench._native: the compiled part of the Python package okbench. Converts arguments, results and errors;
// all logic is in the C++ library.

#include "python/native/module.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "python/native/rows.h"
#include "python/native/user_learner.h"

namespace okbench::python {
namespace {

// Sets a Python exception. Messages may contain names of files, whose bytes need not be UTF-8.
void SetError(PyObject* type, const char* message) { PyErr_SetObject(type, TextObject(message).ptr()); }

void TranslateErrors() {
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const TrialFailure& failure) {
      SetError(failure.kind() == "diverged" ? PyExc_FloatingPointError : PyExc_RuntimeError, failure.what());
    } catch (const InvalidArgument& wrong) {
      SetError(PyExc_ValueError, wrong.what());
    } catch (const DataError& wrong) {
      SetError(PyExc_ValueError, wrong.what());
    } catch (const SpecError& wrong) {
      SetError(PyExc_ValueError, wrong.what());
    } catch (const nlohmann::json::exception& wrong) {
      SetError(PyExc_ValueError, wrong.what());
    } catch (const TraceError& error_of_file) {
      SetError(py::module_::import("okbench.errors").attr("TraceFileError").ptr(), error_of_file.what());
    } catch (const UnsupportedMachine& machine) {
      SetError(PyExc_RuntimeError, machine.what());
    }
  });
}

// Throws py::import_error if NumPy is installed and newer than this module supports. pybind11 before 2.12
// reads arrays of NumPy 2 with wrong strides, without an error.
void CheckNumPy() {
  constexpr int kLastNumPy = PYBIND11_VERSION_HEX < 0x020C0000 ? 1 : 2;
  std::string version;
  try {
    version = py::str(py::module_::import("numpy").attr("__version__"));
  } catch (const py::error_already_set& error) {
    if (error.matches(PyExc_ModuleNotFoundError)) return;  // modules that need NumPy report it
    throw;
  }
  if (std::atoi(version.c_str()) <= kLastNumPy) return;
  throw py::import_error(fmt::format(
      "okbench's compiled module supports NumPy up to {}, because it was built with pybind11 {}.{}.{}, but "
      "NumPy {} is "
      "installed; build it with {}",
      kLastNumPy, PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR, PYBIND11_VERSION_HEX >> 8 & 0xff, version,
      kLastNumPy == 1 ? "pybind11 2.12 or later" : "a later pybind11"));
}

}  // namespace
}  // namespace okbench::python

PYBIND11_MODULE(_native, module) {
  using namespace okbench::python;
  CheckNumPy();
  module.doc() = "Compiled part of okbench. Use it through the package okbench.";
  TranslateErrors();
  AddInstallation(module);
  AddLearning(module);
  AddMeasures(module);
  AddResultRows(module);
  AddResults(module);
  AddUserLearners(module);
  AddRunning(module);
}
