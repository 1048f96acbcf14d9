// Module functions version(), home() and target().

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "harness/system/paths.h"
#include "harness/system/provenance.h"
#include "learners/kernels/target.h"
#include "python/native/module.h"

namespace okbench::python {
namespace {

// Sets the home folder to that of the Python package. The default rule would search relative to the
// interpreter.
void FindHome() {
  SetHomeFolder(py::module_::import("okbench.home").attr("package_home")().cast<std::string>());
}

}  // namespace

void AddInstallation(py::module_& module) {
  FindHome();
  module.def("version", &ProgramVersion, "Return version, commit and compiler of this build.");
  module.def("home", &HomeFolder,
             "Return the folder with experiments/ and datasets/: OKBENCH_HOME, else that of the package.");
  module.def(
      "target", &ActiveTarget,
      "Return the instruction set, e.g. 'avx2'. RuntimeError if the processor has no fused multiply-add.");
}

}  // namespace okbench::python
