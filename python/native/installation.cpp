// What the module knows of where it is installed, and of the machine.

#include <dlfcn.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "harness/system/paths.h"
#include "harness/system/provenance.h"
#include "learners/core/contained.h"
#include "learners/kernels/target.h"
#include "python/native/module.h"

namespace okbench::python {
namespace {

// Libraries that may end their process get one of their own: an interpreter that loads this very file, alone.
void ContainHere() {
  Dl_info here{};
  const auto program = py::module_::import("sys").attr("executable");
  if (program.is_none() || dladdr(reinterpret_cast<const void*>(&ContainHere), &here) == 0) return;
  StartContainedWith(
      {program.cast<std::string>(), "-I", "-S", "-c",
       "import sys, importlib.util as u; s = u.spec_from_file_location('_native', sys.argv[1]); "
       "m = u.module_from_spec(s); s.loader.exec_module(m); m.serve_contained(sys.argv[2:])",
       here.dli_fname});
}

// The package knows where its data lie; the program's own rule would look beside the interpreter.
void FindHome() {
  try {
    SetHomeFolder(py::module_::import("okbench.home").attr("beside")().cast<std::string>());
  } catch (const py::error_already_set& error) {
    // A process that does the work of a library has this file alone.
    if (!error.matches(PyExc_ModuleNotFoundError)) throw;
  }
}

}  // namespace

void AddInstallation(py::module_& module) {
  ContainHere();
  FindHome();
  module.def("version", &ProgramVersion, "Version, commit and compiler of this build.");
  module.def("home", &HomeFolder,
             "Folder with experiments/ and datasets/: OKBENCH_HOME, else the package's own.");
  module.def(
      "target", &ActiveTarget,
      "The instruction set in use, e.g. 'avx2'; RuntimeError when the processor has no fused multiply-add.");
  module.def(
      "serve_contained",
      [](const std::vector<std::string>& words) {
        if (words.size() == 2) ServeContained(words[0], words[1]);
      },
      "Does the work of a library in this process, and ends it; for processes that this module starts.",
      py::arg("words"));
}

}  // namespace okbench::python
