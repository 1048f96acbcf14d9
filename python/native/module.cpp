// okbench._native: what the package okbench is made of. Arrays come in and go out; nothing here decides
// anything.

#include <dlfcn.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>

#include "datasets/catalog.h"
#include "datasets/contained.h"
#include "datasets/error.h"
#include "datasets/load.h"
#include "harness/plan/registry_json.h"
#include "harness/run/runner.h"
#include "harness/system/error.h"
#include "harness/system/memory.h"
#include "harness/system/paths.h"
#include "harness/system/provenance.h"
#include "learners/core/error.h"
#include "learners/kernels/target.h"
#include "python/native/rows.h"
#include "python/native/session.h"

namespace okbench::python {
namespace {

using Clock = std::chrono::steady_clock;

// Signals (Ctrl-C) are looked at ten times a second.
class SignalPoll {
 public:
  bool operator()() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    const py::gil_scoped_acquire lock;
    return PyErr_CheckSignals() != 0;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

// Calls what learns without the interpreter's lock, and tells errors as Python has them.
template <class Call>
void Unlocked(const Call& call) {
  try {
    const py::gil_scoped_release unlocked;
    try {
      call();
    } catch (...) {
      ForgetShortage();
      throw;
    }
    if (MemoryRanOut()) {
      ForgetShortage();
      throw std::bad_alloc();
    }
  } catch (const Interrupted&) {
    throw py::error_already_set();  // a signal's handler has set it
  }
}

template <class V>
py::array ArrayOf(const std::vector<V>& values) {
  return py::array_t<V>(static_cast<py::ssize_t>(values.size()), values.data());
}

template <class T>
py::array MatrixOf(const std::vector<T>& values, std::size_t rows, std::size_t columns) {
  return py::array_t<T>({rows, columns}, values.data());
}

// A dense array, or (data, indices, indptr, features).
template <class T>
py::object RowsObject(const Examples<T>& rows) {
  std::vector<T> values;
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> starts = {0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowView<T> row = rows.row(i);
    values.insert(values.end(), row.values, row.values + row.count);
    if (row.indices != nullptr) indices.insert(indices.end(), row.indices, row.indices + row.count);
    starts.push_back(static_cast<std::int64_t>(values.size()));
  }
  if (!rows.sparse()) return MatrixOf(values, rows.size(), rows.features());
  return py::make_tuple(ArrayOf(values), ArrayOf(indices), ArrayOf(starts), rows.features());
}

template <class V>
std::vector<V> ListOf(const py::object& values) {
  if (values.is_none()) return {};
  const auto array = values.cast<py::array_t<V, py::array::c_style>>();
  return {array.data(), array.data() + array.size()};
}

// One learner, in the precision of its rows.
class PySession {
 public:
  PySession(const std::string& request, bool double_precision) {
    const auto json = nlohmann::json::parse(request);
    if (double_precision)
      session_ = std::make_unique<Session<double>>(json, SignalPoll());
    else
      session_ = std::make_unique<Session<float>>(json, SignalPoll());
  }
  explicit PySession(const py::bytes& saved) : session_(LoadSession(saved, SignalPoll())) {}

  // Whether a solver has converged; the others always have.
  bool Learn(const py::object& rows, const py::object& classes, const py::object& targets, bool anew) {
    Labels labels{ListOf<std::int32_t>(classes), ListOf<double>(targets)};
    bool converged = true;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const Examples<T> examples = RowsOf<T>(rows);
      Unlocked([&] {
        if (anew)
          converged = session.Fit(examples, std::move(labels));
        else
          session.PartialFit(examples, std::move(labels));
      });
    });
    return converged;
  }

  py::array Predict(const py::object& rows) {
    std::vector<double> scores;
    std::size_t count = 0;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const Examples<T> examples = RowsOf<T>(rows);
      count = examples.size();
      Unlocked([&] { session.Predict(examples, scores); });
    });
    return MatrixOf(scores, count, count > 0 ? scores.size() / count : 1);
  }

  py::dict GetModel() {
    py::dict told;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const Model<T>& model = session.model();
      const std::size_t vectors = model.vectors ? model.vectors->size() : 0;
      told["support_vectors"] = model.vectors ? RowsObject(*model.vectors) : py::object(py::none());
      told["dual_coef"] = MatrixOf(model.coefficients, model.outputs, vectors);
      told["intercept"] = ArrayOf(model.offsets.empty() ? std::vector<double>(model.outputs) : model.offsets);
      told["coef"] = model.weights.empty() ? py::object(py::none()) : py::object(ArrayOf(model.weights));
    });
    return told;
  }

  py::dict Counts() const {
    const KernelCounts counts = session_->Counts();
    py::dict told;
    told["requested"] = counts.requested;
    told["computed"] = counts.computed;
    told["evaluation"] = counts.evaluation;
    return told;
  }

  py::dict GetTrace() const {
    const Trace trace = session_->Result();
    py::dict tables;
    for (const Table& table : trace.tables) {
      py::dict columns;
      for (const Column& column : table.columns)
        columns[py::str(column.name)] =
            std::visit([](const auto& values) { return ArrayOf(values); }, column.values);
      tables[py::str(table.name)] = columns;
    }
    py::dict told;
    told["tables"] = tables;
    told["summary"] = trace.summary.dump();
    told["digest"] = trace.tables.empty() ? "" : trace.Digest();
    return told;
  }

  py::bytes Save(const std::string& estimator) { return session_->Save(estimator); }
  std::string estimator() const { return session_->estimator(); }
  bool double_precision() const { return session_->double_precision(); }
  std::size_t features() const { return session_->features(); }

 private:
  template <class Call>
  void With(const Call& call) {
    if (session_->double_precision())
      call(dynamic_cast<Session<double>&>(*session_), std::type_identity<double>());
    else
      call(dynamic_cast<Session<float>&>(*session_), std::type_identity<float>());
  }

  std::unique_ptr<AnySession> session_;
};

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
               std::optional<std::pair<double, double>> scale, bool unit_norm, bool stand_in,
               std::size_t rows, bool double_precision) {
  const Catalog catalog = ReadCatalog();
  DataRequest request{.name = name, .part = part, .positive = positive};
  if (scale) request.scale = Range{scale->first, scale->second};
  request.unit_norm = unit_norm;
  request.force_stand_in = stand_in;
  request.rows = rows;
  const okbench::DataSet& set = catalog.Find(name);
  if (set.images) throw InvalidArgument("data set '" + name + "' is of images: its rows are made of boxes");
  if (!set.parts.contains(part) && part != "all")
    throw InvalidArgument("data set '" + name + "' has no part '" + part + "'");
  return double_precision ? DataAs<double>(set, request) : DataAs<float>(set, request);
}

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

namespace okbench::python {
namespace {

// Trials of specs, as `okbench run` runs them. The exit status.
int RunSpecs(const std::vector<std::string>& specs, const std::string& tier,
             const std::vector<std::string>& overrides, const std::string& out, const std::string& only,
             int jobs, double timeout, bool fresh, bool quiet,
             const std::function<void(std::size_t, std::size_t, const std::string&)>& told) {
  RunOptions options{.jobs = jobs, .fresh = fresh, .quiet = quiet, .timeout_seconds = timeout};
  if (told)
    options.told = [&told](std::size_t over, std::size_t trials, const std::string& line) {
      const py::gil_scoped_acquire lock;
      told(over, trials, line);
    };
  // A run watches signals itself; afterwards they are Python's again.
  const PyOS_sighandler_t interrupt = PyOS_getsig(SIGINT), terminate = PyOS_getsig(SIGTERM);
  const auto give_back = [&] {
    PyOS_setsig(SIGINT, interrupt);
    PyOS_setsig(SIGTERM, terminate);
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
}  // namespace okbench::python

PYBIND11_MODULE(_native, module) {
  using namespace okbench::python;
  module.doc() = "The learners of okbench, compiled; use them through the package okbench.";
  TranslateErrors();
  ContainHere();
  module.def("version", &okbench::ProgramVersion, "Version, commit and compiler of this build.");
  module.def(
      "learners", [] { return okbench::LearnersJson().dump(); }, "The registry of learners, as JSON.");
  module.def(
      "losses", [] { return okbench::LossesJson().dump(); }, "The registry of losses, as JSON.");
  module.def("run", &RunSpecs, "Runs the trials of specs that have no valid result yet; the exit status.",
             py::arg("specs"), py::arg("tier"), py::arg("overrides"), py::arg("out"), py::arg("only"),
             py::arg("jobs"), py::arg("timeout"), py::arg("fresh"), py::arg("quiet"), py::arg("told"));
  module.def("data", &Data, "Rows and labels of a data set of the catalogue.", py::arg("name"),
             py::arg("part"), py::arg("positive"), py::arg("scale"), py::arg("unit_norm"),
             py::arg("stand_in"), py::arg("rows"), py::arg("double_precision"));
  module.def(
      "serve_contained",
      [](const std::vector<std::string>& words) {
        if (words.size() == 2) okbench::ServeContained(words[0], words[1]);
      },
      "Does the work of a library in this process, and ends it; for processes that this module starts.",
      py::arg("words"));
  py::class_<PySession>(module, "Session", "One learner on rows in memory.")
      .def(py::init<const std::string&, bool>(), py::arg("request"), py::arg("double_precision"))
      .def_static(
          "load", [](const py::bytes& saved) { return std::make_unique<PySession>(saved); }, py::arg("saved"))
      .def("learn", &PySession::Learn, py::arg("rows"), py::arg("classes"), py::arg("targets"),
           py::arg("anew"))
      .def("predict", &PySession::Predict, py::arg("rows"))
      .def("model", &PySession::GetModel)
      .def("counts", &PySession::Counts)
      .def("trace", &PySession::GetTrace)
      .def("save", &PySession::Save, py::arg("estimator") = "")
      .def_property_readonly("estimator", &PySession::estimator)
      .def_property_readonly("double_precision", &PySession::double_precision)
      .def_property_readonly("features", &PySession::features);
}
