// Trials of specs, rows of data sets, and the registry.

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "datasets/catalog.h"
#include "datasets/load.h"
#include "harness/plan/registry_json.h"
#include "harness/run/interruption.h"
#include "harness/run/runner.h"
#include "harness/spec/catalogs.h"
#include "learners/core/error.h"
#include "learners/kernels/target.h"
#include "python/native/calls.h"
#include "python/native/module.h"
#include "python/native/own_learner.h"
#include "python/native/rows.h"

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

// Rows and labels of a data set of the catalogue, as learners see them.
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

// The registry is everybody's: with learners of one's own a run has the process for itself.
class Turn {
 public:
  explicit Turn(bool alone) {
    if (runs_ > 0 && (alone || alone_))
      throw InvalidArgument(
          "another run is going on in this process; one with learners of its own runs alone");
    ++runs_;
    alone_ = alone;
  }
  ~Turn() {
    if (--runs_ == 0) alone_ = false;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static inline int runs_ = 0;  // looked at with the interpreter's lock
  static inline bool alone_ = false;
};

// Trials of specs, as `okbench run` runs them. The exit status.
int RunSpecs(const std::vector<std::string>& specs, const std::string& tier,
             const std::vector<std::string>& overrides, const std::string& out, const std::string& only,
             int jobs, double timeout, bool force, bool quiet,
             const std::function<void(std::size_t, std::size_t, const std::string&)>& told,
             const std::vector<py::object>& learners) {
  const Turn turn(!learners.empty());
  const OwnLearners own(learners);
  RunOptions options{.jobs = jobs, .force = force, .quiet = quiet, .timeout_seconds = timeout};
  if (told)
    options.told = [&told](std::size_t over, std::size_t trials, const std::string& line) {
      const py::gil_scoped_acquire lock;
      told(over, trials, line);
    };
  // What a learner's own code is at is stopped as Python stops it, in the main thread.
  AlsoAtSignal(learners.empty() ? nullptr : &PyErr_SetInterrupt);
  // A run watches signals itself; afterwards they are Python's again.
  const PyOS_sighandler_t interrupt = PyOS_getsig(SIGINT), terminate = PyOS_getsig(SIGTERM);
  const auto give_back = [&] {
    PyOS_setsig(SIGINT, interrupt);
    PyOS_setsig(SIGTERM, terminate);
    AlsoAtSignal(nullptr);
    // The status tells of the signal.
    if (!learners.empty() && AskedToEnd() && PyErr_CheckSignals() != 0) PyErr_Clear();
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
    give_back();
    throw;
  }
  give_back();
  return status;
}

}  // namespace

void AddRunning(py::module_& module) {
  module.def(
      "learners", [] { return LearnersJson().dump(); }, "The registry of learners, as JSON.");
  module.def(
      "losses", [] { return LossesJson().dump(); }, "The registry of losses, as JSON.");
  module.def("run", &RunSpecs, "Runs the trials of specs that have no valid result yet; the exit status.",
             py::arg("specs"), py::arg("tier"), py::arg("overrides"), py::arg("out"), py::arg("only"),
             py::arg("jobs"), py::arg("timeout"), py::arg("fresh"), py::arg("quiet"), py::arg("told"),
             py::arg("learners") = std::vector<py::object>());
  module.def(
      "default_folder",
      [](const std::string& tier, const std::vector<std::string>& overrides) {
        return DefaultFolder({.specs = {}, .overrides = overrides, .tier = tier, .out = {}});
      },
      "The result folder of a run that names none.", py::arg("tier"), py::arg("overrides"));
  module.def("data", &Data, "Rows and labels of a data set of the catalogue.", py::arg("name"),
             py::arg("part"), py::arg("positive"), py::arg("scale"), py::arg("unit_norm"),
             py::arg("synthetic"), py::arg("rows"), py::arg("double_precision"));
}

}  // namespace okbench::python
