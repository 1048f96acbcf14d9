// okbench._native: what the package okbench is made of.

#include <pybind11/pybind11.h>

#include "harness/system/provenance.h"

namespace py = pybind11;

namespace okbench {
void AddInstallation(py::module_& module);  // installation.cpp
}

PYBIND11_MODULE(_native, module) {
  module.doc() = "The learners of okbench, compiled; use them through the package okbench.";
  module.def("version", &okbench::ProgramVersion, "Version, commit and compiler of this build.");
  okbench::AddInstallation(module);
}
