// What the module knows of where it is installed, and of the machine.

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "harness/system/paths.h"
#include "harness/system/provenance.h"
#include "learners/kernels/target.h"
#include "python/native/module.h"

namespace okbench::python {
namespace {

// The package knows where its data lie; the program's own rule would look beside the interpreter.
void FindHome() {
  SetHomeFolder(py::module_::import("okbench.home").attr("beside")().cast<std::string>());
}

}  // namespace

void AddInstallation(py::module_& module) {
  FindHome();
  module.def("version", &ProgramVersion, "Version, commit and compiler of this build.");
  module.def("home", &HomeFolder,
             "Folder with experiments/ and datasets/: OKBENCH_HOME, else the package's own.");
  module.def(
      "target", &ActiveTarget,
      "The instruction set in use, e.g. 'avx2'; RuntimeError when the processor has no fused multiply-add.");
}

}  // namespace okbench::python
