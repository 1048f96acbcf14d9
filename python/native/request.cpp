#include "python/native/request.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "harness/plan/label_kinds.h"
#include "harness/trial/trial_runner.h"
#include "learners/api/registry.h"

namespace okbench::python {
namespace {

// First mini-batches that all have a row in the trace of an estimator. Recording takes longer than a small
// mini-batch, so this is less than the default of specs.
constexpr std::uint64_t kDenseRounds = 1000;

ParameterValue ValueOf(const std::string& name, const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  throw InvalidArgument(name + ": must be a number, a string or a boolean");
}

Order OrderOf(const std::string& name) {
  std::string known;
  for (const Order order : kOrders) {
    if (name == OrderName(order)) return order;
    known += (known.empty() ? "" : ", ") + std::string(OrderName(order));
  }
  throw InvalidArgument("order: unknown order '" + name + "'; known: " + known);
}

double Real(const nlohmann::json& table, const std::string& name, double usual) {
  if (!table.contains(name)) return usual;
  if (!table[name].is_number()) throw InvalidArgument(name + ": must be a number, not " + table[name].dump());
  return table[name].get<double>();
}

std::string Text(const nlohmann::json& table, const std::string& name, const std::string& usual) {
  if (!table.contains(name)) return usual;
  if (!table[name].is_string()) throw InvalidArgument(name + ": must be a string, not " + table[name].dump());
  return table[name].get<std::string>();
}

// Throws InvalidArgument for an unknown key of a kernel.
void RequireKeys(const nlohmann::json& kernel, const std::string& name, std::set<std::string> known) {
  for (const auto& [key, value] : kernel.items())
    if (!known.contains(key)) throw InvalidArgument("kernel: " + name + " has no key '" + key + "'");
}

Kernel PlainKernel(const nlohmann::json& kernel, const std::string& name, bool term) {
  std::set<std::string> known = {"name"};
  if (term)
    known.insert({"features", "weight"});
  else
    known.insert("bias");
  if (name == "polynomial") known.insert({"degree", "scale", "offset"});
  if (name == "rbf") known.insert({"gamma", "sigma"});
  if (name != "linear" && name != "histogram-intersection" && name != "polynomial" && name != "rbf")
    throw InvalidArgument("kernel: unknown kernel '" + name +
                          "'; known: linear, polynomial, rbf, histogram-intersection, sum");
  RequireKeys(kernel, name, std::move(known));
  if (name == "linear") return Kernel::Linear();
  if (name == "histogram-intersection") return Kernel::HistogramIntersection();
  if (name == "polynomial") {
    const std::uint64_t degree = Whole(kernel, "degree", 2);
    if (degree > 64) throw InvalidArgument("degree: must be at most 64");
    return Kernel::Polynomial(static_cast<int>(degree), Real(kernel, "scale", 1), Real(kernel, "offset", 0));
  }
  if (kernel.contains("sigma") == kernel.contains("gamma"))
    throw InvalidArgument("kernel: rbf needs either sigma or gamma");
  return kernel.contains("sigma") ? Kernel::RbfFromSigma(Real(kernel, "sigma", 0))
                                  : Kernel::RbfFromGamma(Real(kernel, "gamma", 0));
}

// A term of a sum kernel. It applies to the features first .. last of `features: [first, last]`, as in specs.
KernelTerm TermOf(const nlohmann::json& term) {
  const bool ranged = term.is_object() && term.contains("features") && term["features"].is_array() &&
                      term["features"].size() == 2 && term["features"][0].is_number_unsigned() &&
                      term["features"][1].is_number_unsigned() && term["features"][0] <= term["features"][1];
  if (!ranged)
    throw InvalidArgument("kernel: a term of a sum needs features = [first, last], counted from 0");
  const auto first = term["features"][0].get<std::size_t>();
  return {.weight = Real(term, "weight", 1.0),
          .kernel = PlainKernel(term, Text(term, "name", "rbf"), true),
          .first = first,
          .count = term["features"][1].get<std::size_t>() - first + 1};
}

// Parameters of a learner from a table; the others have their defaults.
ParameterValues ParametersOf(const LearnerInfo& info, const nlohmann::json& table) {
  std::map<std::string, ParameterValue> given;
  for (const auto& [name, value] : table.items()) given[name] = ValueOf(name, value);
  return ParameterValues::Resolve(info.parameters, given);
}

// Reads the table "hedge" of a request. Throws InvalidArgument.
void ReadHedge(const nlohmann::json& request, Trial& trial) {
  const nlohmann::json& hedge = request.at("hedge");
  trial.hedge = {.beta = hedge.at("beta").get<double>(),
                 .discounts = hedge.at("discounts").get<std::vector<double>>()};
  for (const nlohmann::json& learner : hedge.at("learners"))
    trial.hedged.Edit().push_back({.parameters = ParametersOf(*trial.info, learner.at("parameters")),
                                   .kernel = KernelOf(learner.at("kernel")),
                                   .values = learner,
                                   .text = {},
                                   .ids = {},
                                   .files = {}});
  if (trial.hedged->empty()) throw InvalidArgument("widths: must hold a number");
}

}  // namespace

std::uint64_t Whole(const nlohmann::json& table, const std::string& name, std::uint64_t usual,
                    std::uint64_t least) {
  if (!table.contains(name)) return usual;
  const nlohmann::json& value = table[name];
  if (!value.is_number_integer() || value < least)
    throw InvalidArgument(name + ": must be an integer >= " + std::to_string(least) + ", not " +
                          value.dump());
  return value.get<std::uint64_t>();
}

Kernel KernelOf(const nlohmann::json& kernel) {
  if (!kernel.is_object() || (kernel.contains("name") && !kernel["name"].is_string()))
    throw InvalidArgument("kernel: must be a table with a string 'name'");
  const std::string name = Text(kernel, "name", "rbf");
  Kernel result;
  if (name == "sum") {
    RequireKeys(kernel, name, {"name", "terms", "bias"});
    if (!kernel.contains("terms") || !kernel["terms"].is_array() || kernel["terms"].empty())
      throw InvalidArgument("kernel: a sum needs terms, a list of kernels");
    std::vector<KernelTerm> terms;
    for (const nlohmann::json& term : kernel["terms"]) terms.push_back(TermOf(term));
    result = Kernel::Sum(std::move(terms));
  } else {
    result = PlainKernel(kernel, name, false);
  }
  result.bias = Real(kernel, "bias", 0);
  result.Validate();
  return result;
}

LabelKind KindOf(const nlohmann::json& request) {
  const auto name = request.at("labels").get<std::string>();
  for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal})
    if (name == LabelKindName(kind)) return kind;
  throw InvalidArgument("labels: unknown kind '" + name + "'; known: binary, multiclass, real");
}

bool Standardises(const nlohmann::json& request) {
  if (!request.contains("standardize")) return false;
  if (!request["standardize"].is_boolean())
    throw InvalidArgument("standardize: must be True or False, not " + request["standardize"].dump());
  return request["standardize"].get<bool>() && KindOf(request) == LabelKind::kReal;
}

int ClassesOf(const nlohmann::json& request) {
  if (!request.contains("classes")) throw InvalidArgument("classes: missing; set the number of classes");
  const std::uint64_t classes = Whole(request, "classes", 1);
  if (classes > std::numeric_limits<int>::max()) throw InvalidArgument("classes: too many classes");
  return static_cast<int>(classes);
}

Trial TrialOf(const nlohmann::json& request, std::shared_ptr<const KernelFunction> function) {
  Trial trial;
  trial.experiment = trial.seed = "estimator";
  trial.info = &FindLearner(request.at("learner").get<std::string>());
  if (!trial.info->gives_model)
    throw InvalidArgument(trial.info->name + " has no model that predicts rows; it cannot be an estimator");
  trial.parameters = ParametersOf(*trial.info, request.at("parameters"));
  if (request.contains("hedge")) ReadHedge(request, trial);
  const nlohmann::json& kernel = request.at("kernel");
  const bool handed = kernel.is_object() && kernel.value("name", nlohmann::json()) == "function";
  if (handed && !function) throw InvalidArgument("the kernel is a function, which is not saved");
  trial.kernel = handed ? Kernel::Function(std::move(function)) : KernelOf(kernel);
  if (handed) trial.kernel.bias = Real(kernel, "bias", 0);
  trial.data.Edit().stream = {
      .order = OrderOf(Text(request, "order", "file")), .epochs = Whole(request, "epochs", 1), .limit = 0};
  trial.batch = Whole(request, "batch", 1);
  trial.repetition = Whole(request, "seed", 0, 0);
  RequireLabels(trial.info->name, trial.info->labels, KindOf(request));
  if (KindOf(request) != LabelKind::kReal) ClassesOf(request);
  const LabelKind kind = KindOf(request);
  trial.scores = {.kind = ScoreKindOf(trial.parameters, kind),
                  .classes = kind == LabelKind::kReal     ? 0
                             : kind == LabelKind::kBinary ? 2
                                                          : static_cast<std::size_t>(ClassesOf(request))};
  if (trial.info->protocol != Protocol::kStream &&
      (request.contains("measures") || request.contains("delay")))
    throw InvalidArgument("measures: " + trial.info->name + " does not learn row by row");
  for (const nlohmann::json& name : request.value("measures", nlohmann::json::array())) {
    if (!name.is_string()) throw InvalidArgument("measures: must be names");
    trial.measures.push_back(ParseMeasureRequest(name.get<std::string>()));
    const std::string unfit = UnfitFor(FindPredictionMeasure(trial.measures.back().measure), trial.scores);
    if (!unfit.empty()) throw InvalidArgument("measures: " + unfit);
  }
  if (const std::uint64_t delay = Whole(request, "delay", 0, 0); delay > 0)
    trial.data.Edit().stream.delay = delay;
  if (trial.info->protocol == Protocol::kMiniBatches) trial.trace.Edit().record_all_until = kDenseRounds;
  trial.train_plan.Edit().digest = "sha256:";  // not a generated data set: the caller provides the rows
  trial.first_features = Whole(request, "first_features", 0, 0);
  trial.request = request;
  return trial;
}

void SetSize(Trial& trial, std::size_t rows) {
  const auto order = trial.request.value("order", "file");
  trial.data.Edit().stream.order = OrderOf(order);
  trial.data.Edit().stream.epochs = Whole(trial.request, "epochs", 1);
  trial.batch =
      std::clamp<std::uint64_t>(Whole(trial.request, "batch", 1), 1, std::max<std::size_t>(1, rows));
  trial.training = rows;
  trial.examples = trial.info->protocol == Protocol::kMiniBatches
                       ? BatchesLength(trial.data->stream, rows, trial.batch)
                       : StreamLength(trial.data->stream, rows);
}

void SetEndless(Trial& trial) {
  if (Late(trial.data->stream))
    throw InvalidArgument("delay: needs the whole stream at once; it does not support partial_fit");
  trial.data.Edit().stream = {.order = Order::kFile, .epochs = 1, .limit = 0};
  trial.batch = Whole(trial.request, "batch", 1);
  trial.training = trial.examples = kEndless;
}

}  // namespace okbench::python
