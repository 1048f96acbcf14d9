#pragma once
// Functions that add the contents of each source file to the module.

#include <pybind11/pybind11.h>

namespace okbench::python {

namespace py = pybind11;

void AddInstallation(py::module_& module);
void AddLearning(py::module_& module);
void AddMeasures(py::module_& module);
void AddResultRows(py::module_& module);
void AddResults(py::module_& module);
void AddRunning(py::module_& module);

/// Loads the plugins of OKBENCH_PLUGINS once, so that the specs of their learners can be planned. Throws
/// SpecError.
void LoadPlugins();

}  // namespace okbench::python
