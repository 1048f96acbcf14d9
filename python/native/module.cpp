// okbench._native: the compiled part of the Python package okbench. Converts arguments, results and errors;
// all logic is in the C++ library.

#include "python/native/module.h"

#include <exception>
#include <nlohmann/json.hpp>

#include "learners/core/error.h"
#include "python/native/user_learner.h"

namespace okbench::python {
namespace {

void TranslateErrors() {
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const TrialFailure& failure) {
      PyErr_SetString(failure.kind() == "diverged" ? PyExc_FloatingPointError : PyExc_RuntimeError,
                      failure.what());
    } catch (const InvalidArgument& wrong) {
      PyErr_SetString(PyExc_ValueError, wrong.what());
    } catch (const DataError& wrong) {
      PyErr_SetString(PyExc_ValueError, wrong.what());
    } catch (const SpecError& wrong) {
      PyErr_SetString(PyExc_ValueError, wrong.what());
    } catch (const nlohmann::json::exception& wrong) {
      PyErr_SetString(PyExc_ValueError, wrong.what());
    } catch (const UnsupportedMachine& machine) {
      PyErr_SetString(PyExc_RuntimeError, machine.what());
    }
  });
}

}  // namespace
}  // namespace okbench::python

PYBIND11_MODULE(_native, module) {
  using namespace okbench::python;
  module.doc() = "Compiled part of okbench. Use it through the package okbench.";
  TranslateErrors();
  AddInstallation(module);
  AddLearning(module);
  AddUserLearners(module);
  AddRunning(module);
}
