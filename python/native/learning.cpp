// The Python class Session: one learner on rows in memory.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <memory>
#include <string>

#include "python/native/calls.h"
#include "python/native/dict_rows.h"
#include "python/native/function_kernel.h"
#include "python/native/module.h"
#include "python/native/rows.h"
#include "python/native/session.h"

namespace okbench::python {
namespace {

using Clock = std::chrono::steady_clock;

// Runs Python's signal handlers (Ctrl-C) at most ten times per second. Returns true if a handler raised.
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

// Copies an array; empty for None.
template <class V>
std::vector<V> ListOf(const py::object& values) {
  if (values.is_none()) return {};
  const auto array = values.cast<py::array_t<V, py::array::c_style>>();
  return {array.data(), array.data() + array.size()};
}

// A Session<float> or Session<double>, depending on the precision of the rows. Its calls are made without the
// GIL, because they may wait for a call that learns, which takes the GIL to handle signals.
class PySession {
 public:
  PySession(const std::string& request, bool double_precision, const py::object& kernel) {
    const auto json = nlohmann::json::parse(request);
    if (double_precision)
      session_ = std::make_unique<Session<double>>(json, SignalPoll(), FunctionOf(kernel));
    else
      session_ = std::make_unique<Session<float>>(json, SignalPoll(), FunctionOf(kernel));
  }
  PySession(const py::bytes& saved, const py::object& kernel)
      : session_(LoadSession(saved, SignalPoll(), FunctionOf(kernel))) {}

  // `restart`: fits from scratch, else continues. Returns false if a solver did not converge, else true.
  bool Learn(const py::object& rows, const py::object& classes, const py::object& targets,
             const py::object& weights, bool restart) {
    Labels labels{ListOf<std::int32_t>(classes), ListOf<double>(targets), ListOf<double>(weights)};
    bool converged = true;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const Examples<T> examples = RowsOf<T>(rows);
      if (restart)
        Unlocked([&] { converged = session.Fit(examples, std::move(labels)); });
      else
        LearnRows(session, examples, std::move(labels));
    });
    return converged;
  }

  void AddClass() {
    Unlocked([&] { session_->AddClass(); });
  }

  // See AnySession::AddFeatures.
  void AddFeatures(std::size_t count, std::size_t at, bool sparse) {
    Unlocked([&] { session_->AddFeatures({.count = count, .at = at, .sparse = sparse}); });
  }

  py::array Predict(const py::object& rows) {
    std::vector<double> scores;
    std::size_t count = 0;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const Examples<T> examples = RowsOf<T>(rows);
      count = examples.size();
      PredictRows(session, examples, scores);
    });
    return MatrixOf(scores, count, count > 0 ? scores.size() / count : 1);
  }

  // Learns from one row, a dict: see RowOfDict. `label` is a class or a target. Returns false, without
  // learning, if the dict has a new feature.
  bool LearnDict(const py::dict& places, const py::dict& x, double label, double weight, bool sparse,
                 bool constant) {
    bool known = true;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const auto row = RowOfDict<T>(places, x, {session.features(), sparse, constant}, false);
      known = row.has_value();
      if (!known) return;
      Labels labels;
      if (session.real())
        labels.targets = {label};
      else
        labels.classes = {static_cast<std::int32_t>(label)};
      if (weight != 1) labels.weights = {weight};
      LearnRows(session, *row, std::move(labels));
    });
    return known;
  }

  // Scores of one row, a dict, without its new features.
  std::vector<double> ScoresOfDict(const py::dict& places, const py::dict& x, bool sparse, bool constant) {
    std::vector<double> scores;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const auto row = RowOfDict<T>(places, x, {session.features(), sparse, constant}, true);
      PredictRows(session, *row, scores);
    });
    return scores;
  }

  py::array Variances(const py::object& rows) {
    std::vector<double> variances;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      const Examples<T> examples = RowsOf<T>(rows);
      Unlocked([&] { session.Variances(examples, variances); });
    });
    return ArrayOf(variances);
  }

  py::dict GetModel() {
    py::dict result;
    With([&](auto& session, auto type) {
      using T = typename decltype(type)::type;
      std::shared_ptr<const Model<T>> copy;
      Unlocked([&] { copy = session.model(); });
      const Model<T>& model = *copy;
      const std::size_t vectors = model.vectors ? model.vectors->size() : 0;
      result["support"] = model.rows.empty() ? py::object(py::none()) : py::object(ArrayOf(model.rows));
      result["support_vectors"] = model.vectors ? RowsObject(*model.vectors) : py::object(py::none());
      result["dual_coef"] = MatrixOf(model.coefficients, model.outputs, vectors);
      result["intercept"] =
          ArrayOf(model.offsets.empty() ? std::vector<double>(model.outputs) : model.offsets);
      result["votes"] = ArrayOf(model.votes);
      result["components"] = model.components ? RowsObject(*model.components) : py::object(py::none());
      result["coef"] =
          model.weights.empty()
              ? py::object(py::none())
              : py::object(MatrixOf(model.weights, model.outputs, model.weights.size() / model.outputs));
    });
    return result;
  }

  // (labels, scores): see Session::Scores.
  py::tuple Scores() {
    py::tuple result;
    With([&](auto& session, auto /*type*/) {
      ScoreWindow window;
      Unlocked([&] { window = session.Scores(); });
      const std::size_t count = window.labels.size();
      result = py::make_tuple(ArrayOf(window.labels),
                              MatrixOf(window.scores, count, count > 0 ? window.scores.size() / count : 1));
    });
    return result;
  }

  py::dict Counts() const {
    KernelCounts counts;
    Unlocked([&] { counts = session_->Counts(); });
    py::dict result;
    result["requested"] = counts.requested;
    result["computed"] = counts.computed;
    result["evaluation"] = counts.evaluation;
    result["features"] = counts.features;
    result["measured_features"] = counts.measured_features;
    return result;
  }

  py::dict GetTrace() const {
    Trace trace;
    Unlocked([&] { trace = session_->Result(); });
    py::dict result;
    result["tables"] = TablesOf(trace);
    result["summary"] = trace.summary.dump();
    result["digest"] = trace.tables.empty() ? "" : trace.Digest();
    return result;
  }

  py::bytes Save(const std::string& estimator) {
    std::string bytes;
    Unlocked([&] { bytes = session_->Save(estimator); });
    return bytes;
  }
  std::string estimator() const { return session_->estimator(); }
  bool double_precision() const { return session_->double_precision(); }
  std::size_t features() const { return session_->features(); }
  std::size_t rows() const { return session_->rows(); }

 private:
  // A callable, "precomputed", or None: the kernel of the request.
  static std::shared_ptr<const KernelFunction> FunctionOf(const py::object& kernel) {
    if (kernel.is_none()) return nullptr;
    return py::isinstance<py::str>(kernel) ? PrecomputedKernel() : CallableKernel(kernel);
  }

  // One row takes less time than to release the GIL.
  template <class T>
  static void LearnRows(Session<T>& session, const Examples<T>& rows, Labels labels) {
    if (rows.size() == 1 && Locked([&] { return session.TryPartialFit(rows, labels); })) return;
    Unlocked([&] { session.PartialFit(rows, std::move(labels)); });
  }

  template <class T>
  static void PredictRows(Session<T>& session, const Examples<T>& rows, std::vector<double>& scores) {
    if (rows.size() == 1 && Locked([&] { return session.TryPredictRow(rows, scores); })) return;
    Unlocked([&] { session.Predict(rows, scores); });
  }

  template <class Call>
  void With(const Call& call) {
    if (session_->double_precision())
      call(dynamic_cast<Session<double>&>(*session_), std::type_identity<double>());
    else
      call(dynamic_cast<Session<float>&>(*session_), std::type_identity<float>());
  }

  std::unique_ptr<AnySession> session_;
};

}  // namespace

void AddLearning(py::module_& module) {
  py::class_<PySession>(module, "Session", "A learner on rows in memory.")
      .def(py::init<const std::string&, bool, const py::object&>(), py::arg("request"),
           py::arg("double_precision"), py::arg("kernel") = py::none())
      .def_static(
          "load",
          [](const py::bytes& saved, const py::object& kernel) {
            return std::make_unique<PySession>(saved, kernel);
          },
          py::arg("saved"), py::arg("kernel") = py::none())
      .def("learn", &PySession::Learn, py::arg("rows"), py::arg("classes"), py::arg("targets"),
           py::arg("weights"), py::arg("restart"))
      .def("add_class", &PySession::AddClass)
      .def("add_features", &PySession::AddFeatures, py::arg("count"), py::arg("at"), py::arg("sparse"))
      .def("learn_dict", &PySession::LearnDict, py::arg("places"), py::arg("x"), py::arg("label"),
           py::arg("weight"), py::arg("sparse"), py::arg("constant"))
      .def("scores_of_dict", &PySession::ScoresOfDict, py::arg("places"), py::arg("x"), py::arg("sparse"),
           py::arg("constant"))
      .def("predict", &PySession::Predict, py::arg("rows"))
      .def("variances", &PySession::Variances, py::arg("rows"))
      .def("scores", &PySession::Scores)
      .def("model", &PySession::GetModel)
      .def("counts", &PySession::Counts)
      .def("trace", &PySession::GetTrace)
      .def("save", &PySession::Save, py::arg("estimator") = "")
      .def_property_readonly("estimator", &PySession::estimator)
      .def_property_readonly("double_precision", &PySession::double_precision)
      .def_property_readonly("features", &PySession::features)
      .def_property_readonly("rows", &PySession::rows);
}

}  // namespace okbench::python
