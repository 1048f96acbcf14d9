// Module functions that run specs, load data sets and list the registry.

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "datasets/catalog/catalog.h"
#include "datasets/rows/load.h"
#include "harness/plan/registry_json.h"
#include "harness/run/interruption.h"
#include "harness/run/runner.h"
#include "harness/spec/catalogs.h"
#include "learners/kernels/target.h"
#include "python/native/calls.h"
#include "python/native/module.h"
#include "python/native/rows.h"
#include "python/native/user_learner.h"

namespace okbench::python {
namespace {

template <class T>
py::tuple DataAs(const okbench::DataSet& set, const DataRequest& request) {
  const auto folders = DataFolders::FromEnvironment();
  const Examples<T> rows = Load<T>(set, request, folders);
  if (rows.label_kind() == LabelKind::kReal)
    return py::make_tuple(RowsObject(rows), ArrayOf(rows.real_targets().targets));
  const std::vector<std::int32_t> labels(rows.labels().begin(), rows.labels().end());
  return py::make_tuple(RowsObject(rows), ArrayOf(labels));
}

// Rows and labels of a data set of the catalog, as learners receive them.
py::tuple Data(const std::string& name, const std::string& part, const std::vector<int>& positive,
               std::optional<std::pair<double, double>> scale, bool unit_norm, bool synthetic,
               std::size_t rows, bool double_precision) {
  const Catalog catalog = ReadCatalog();
  DataRequest request{.name = name, .part = part, .positive = positive};
  if (scale) request.scale = Range{scale->first, scale->second};
  request.unit_norm = unit_norm;
  request.force_synthetic = synthetic;
  request.rows = rows;
  const okbench::DataSet& set = catalog.Find(name);
  if (set.images) throw InvalidArgument("data set '" + name + "' has images, not rows of features");
  if (!set.parts.contains(part) && part != "all")
    throw InvalidArgument("data set '" + name + "' has no part '" + part + "'");
  return double_precision ? DataAs<double>(set, request) : DataAs<float>(set, request);
}

// Guards the registry, which all runs of the process share. A run with user-defined learners (`alone`) must
// not overlap another run. Throws InvalidArgument otherwise.
class Turn {
 public:
  explicit Turn(bool alone) {
    if (runs_ > 0 && (alone || alone_))
      throw InvalidArgument(
          "another run is active in this process; a run with user-defined learners must be the only one");
    ++runs_;
    alone_ = alone;
  }
  ~Turn() {
    if (--runs_ == 0) alone_ = false;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static inline int runs_ = 0;  // active runs; the GIL guards both members
  static inline bool alone_ = false;
};

// Runs the trials of specs as `okbench run` does. Returns the exit status of that command.
int RunSpecs(const std::vector<std::string>& specs, const std::string& tier,
             const std::vector<std::string>& overrides, const std::string& out, const std::string& only,
             int jobs, double timeout, bool force, bool quiet,
             const std::function<void(std::size_t, std::size_t, const std::string&)>& progress,
             const std::vector<py::object>& learners) {
  const Turn turn(!learners.empty());
  const UserLearners own(learners);
  RunOptions options{.jobs = jobs, .force = force, .quiet = quiet, .timeout_seconds = timeout};
  if (progress)
    options.progress = [&progress](std::size_t over, std::size_t trials, const std::string& line) {
      const py::gil_scoped_acquire lock;
      progress(over, trials, line);
    };
  // On a signal, also interrupts Python code of user-defined learners, in the main thread.
  SetSignalHook(learners.empty() ? nullptr : &PyErr_SetInterrupt);
  // A run installs its own signal handlers. Afterwards, Python's handlers are restored.
  const PyOS_sighandler_t interrupt = PyOS_getsig(SIGINT), terminate = PyOS_getsig(SIGTERM);
  const auto restore_handlers = [&] {
    PyOS_setsig(SIGINT, interrupt);
    PyOS_setsig(SIGTERM, terminate);
    SetSignalHook(nullptr);
    // The exit status reports the signal, so the Python exception is discarded.
    if (!learners.empty() && StopRequested() && PyErr_CheckSignals() != 0) PyErr_Clear();
  };
  int status = 0;
  try {
    Unlocked([&] {
      ActiveTarget();
      const Catalog catalog = ReadCatalog();
      const DataFolders folders = DataFolders::FromEnvironment();
      const auto planned =
          PlanSpecs({.specs = specs, .overrides = overrides, .tier = tier, .out = out}, catalog, folders);
      status = Run(planned, {.only = only, .trials = {}}, options, catalog, folders);
    });
  } catch (...) {
    restore_handlers();
    throw;
  }
  restore_handlers();
  return status;
}

}  // namespace

void AddRunning(py::module_& module) {
  module.def(
      "learners", [] { return LearnersJson().dump(); }, "Return the registry of learners as JSON.");
  module.def(
      "losses", [] { return LossesJson().dump(); }, "Return the registry of losses as JSON.");
  module.def("run", &RunSpecs, "Run every trial that has no valid result. Return the exit status.",
             py::arg("specs"), py::arg("tier"), py::arg("overrides"), py::arg("out"), py::arg("only"),
             py::arg("jobs"), py::arg("timeout"), py::arg("force"), py::arg("quiet"), py::arg("progress"),
             py::arg("learners") = std::vector<py::object>());
  module.def(
      "default_folder",
      [](const std::string& tier, const std::vector<std::string>& overrides) {
        return DefaultFolder({.specs = {}, .overrides = overrides, .tier = tier, .out = {}});
      },
      "Return the default result folder of a run.", py::arg("tier"), py::arg("overrides"));
  module.def("data", &Data, "Return rows and labels of a data set of the catalog.", py::arg("name"),
             py::arg("part"), py::arg("positive"), py::arg("scale"), py::arg("unit_norm"),
             py::arg("synthetic"), py::arg("rows"), py::arg("double_precision"));
}

}  // namespace okbench::python
