// What the module knows of where it is installed, and of the machine.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "harness/system/paths.h"
#include "learners/kernels/target.h"

namespace okbench {

void AddInstallation(pybind11::module_& module) {
  namespace py = pybind11;
  // The package knows where its data lie; the program's own rule would look beside the interpreter.
  SetHomeFolder(py::module_::import("okbench.home").attr("beside")().cast<std::string>());
  module.def("home", &HomeFolder,
             "Folder with experiments/ and datasets/: OKBENCH_HOME, else the package's own.");
  module.def(
      "target", &ActiveTarget,
      "The instruction set in use, e.g. 'avx2'; RuntimeError when the processor has no fused multiply-add.");
}

}  // namespace okbench
