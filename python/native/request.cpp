#include "python/native/request.h"

#include <algorithm>
#include <map>
#include <string>

#include "harness/trial/learning.h"
#include "learners/api/registry.h"
#include "learners/core/error.h"

namespace okbench::python {
namespace {

ParameterValue ValueOf(const std::string& name, const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  throw InvalidArgument(name + ": must be a number, a text, or True or False");
}

Order OrderOf(const std::string& name) {
  std::string known;
  for (const Order order : kOrders) {
    if (name == OrderName(order)) return order;
    known += (known.empty() ? "" : ", ") + std::string(OrderName(order));
  }
  throw InvalidArgument("order: '" + name + "' is unknown; known are " + known);
}

Kernel PlainKernel(const nlohmann::json& kernel, const std::string& name) {
  if (name == "linear") return Kernel::Linear();
  if (name == "histogram-intersection") return Kernel::HistogramIntersection();
  if (name == "polynomial")
    return Kernel::Polynomial(kernel.value("degree", 2), kernel.value("scale", 1.0),
                              kernel.value("offset", 0.0));
  if (name != "rbf")
    throw InvalidArgument("kernel: '" + name +
                          "' is unknown; known are linear, polynomial, rbf, histogram-intersection and sum");
  if (kernel.contains("sigma") == kernel.contains("gamma"))
    throw InvalidArgument("sigma: or gamma is needed for an RBF kernel, one of the two");
  return kernel.contains("sigma") ? Kernel::RbfFromSigma(kernel["sigma"].get<double>())
                                  : Kernel::RbfFromGamma(kernel["gamma"].get<double>());
}

}  // namespace

Kernel KernelOf(const nlohmann::json& kernel) {
  const std::string name = kernel.value("name", "rbf");
  Kernel made;
  if (name == "sum") {
    std::vector<KernelTerm> terms;
    for (const nlohmann::json& term : kernel.at("terms"))
      terms.push_back({.weight = term.value("weight", 1.0),
                       .kernel = PlainKernel(term, term.value("name", "rbf")),
                       .first = term.at("first").get<std::size_t>(),
                       .count = term.at("count").get<std::size_t>()});
    made = Kernel::Sum(std::move(terms));
  } else {
    made = PlainKernel(kernel, name);
  }
  made.Validate();
  return made;
}

LabelKind KindOf(const nlohmann::json& request) {
  const auto name = request.at("labels").get<std::string>();
  for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal})
    if (name == LabelKindName(kind)) return kind;
  throw InvalidArgument("labels: '" + name + "' is unknown");
}

Trial TrialOf(const nlohmann::json& request) {
  Trial trial;
  trial.experiment = "estimator";
  trial.info = &FindLearner(request.at("learner").get<std::string>());
  if (!trial.info->gives_model)
    throw InvalidArgument(trial.info->name + " has no model that could predict rows: it is no estimator");
  std::map<std::string, ParameterValue> given;
  for (const auto& [name, value] : request.at("parameters").items()) given[name] = ValueOf(name, value);
  trial.parameters = ParameterValues::Resolve(trial.info->parameters, given);
  trial.kernel = KernelOf(request.at("kernel"));
  trial.data.stream = {.order = OrderOf(request.value("order", "file")),
                       .epochs = request.value("epochs", std::uint64_t{1}),
                       .limit = 0};
  trial.batch = request.value("batch", std::uint64_t{1});
  trial.repetition = request.value("seed", std::uint64_t{0});
  if (trial.data.stream.epochs < 1) throw InvalidArgument("epochs: must be at least 1");
  if (trial.batch < 1) throw InvalidArgument("batch: must be at least 1");
  RequireLabels(trial.info->name, trial.info->labels, KindOf(request));
  trial.canonical = request;
  return trial;
}

void SetSize(Trial& trial, std::size_t rows) {
  const auto order = trial.canonical.value("order", "file");
  trial.data.stream.order = OrderOf(order);
  trial.data.stream.epochs = trial.canonical.value("epochs", std::uint64_t{1});
  trial.batch = std::clamp<std::uint64_t>(trial.canonical.value("batch", std::uint64_t{1}), 1,
                                          std::max<std::size_t>(1, rows));
  trial.training = rows;
  trial.examples = trial.info->protocol == Protocol::kMiniBatches
                       ? BatchesLength(trial.data.stream, rows, trial.batch)
                       : StreamLength(trial.data.stream, rows);
}

void SetEndless(Trial& trial) {
  trial.data.stream = {.order = Order::kFile, .epochs = 1, .limit = 0};
  trial.batch = trial.canonical.value("batch", std::uint64_t{1});
  trial.training = trial.examples = kEndless;
}

}  // namespace okbench::python
