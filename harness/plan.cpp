#include "harness/plan.h"

#include <fmt/format.h>

#include "datasets/error.h"
#include "datasets/sha256.h"
#include "harness/error.h"
#include "learners/core/error.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

using nlohmann::json;

json KernelJson(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kRbf:
      return {{"name", "rbf"}, {"gamma", kernel.gamma}};
    case KernelKind::kPolynomial:
      return {{"name", "polynomial"},
              {"degree", kernel.degree},
              {"scale", kernel.scale},
              {"offset", kernel.offset}};
    case KernelKind::kLinear:
      return {{"name", "linear"}};
    case KernelKind::kHistogramIntersection:
      return {{"name", "histogram-intersection"}};
  }
  return {};
}

json DataJson(const Trial& trial) {
  const DataSpec& data = trial.data;
  json out = {{"name", data.train.name},           {"part", data.train.part},
              {"digest", trial.train_plan.digest}, {"positive", data.train.positive},
              {"unit_norm", data.train.unit_norm}, {"order", OrderName(data.stream.order)},
              {"epochs", data.stream.epochs},      {"limit", data.stream.limit}};
  if (data.train.rescale) out["scale"] = {data.train.scale_low, data.train.scale_high};
  if (!data.test_part.empty()) {
    out["test"] = data.test_part;
    out["test_digest"] = trial.test_plan.digest;
  }
  return out;
}

json Canonical(const Trial& trial) {
  json parameters = json::object();
  for (const auto& [name, value] : trial.parameters.all()) parameters[name] = ToJson(value);
  return {{"format", 1},
          {"experiment", trial.experiment},
          {"learner", trial.info->name},
          {"parameters", parameters},
          {"kernel", KernelJson(trial.kernel)},
          {"precision", trial.double_precision ? "float64" : "float32"},
          {"repetition", trial.repetition},
          {"data", DataJson(trial)},
          {"trace",
           {{"dense", trial.trace.dense},
            {"per_decade", trial.trace.per_decade},
            {"from_end", trial.trace.from_end},
            {"checkpoints", trial.trace.checkpoints}}}};
}

// Every combination of one value per axis, the last axis fastest.
std::vector<std::map<std::string, ParameterValue>> Points(const LearnerEntry& entry) {
  std::vector<std::map<std::string, ParameterValue>> points = {{}};
  for (const auto& [name, axis] : entry.grid) {
    std::vector<std::map<std::string, ParameterValue>> longer;
    for (const auto& point : points)
      for (const auto& value : axis) {
        longer.push_back(point);
        longer.back()[name] = value;
      }
    points = std::move(longer);
  }
  return points;
}

ParameterValues Resolve(const Spec& spec, const LearnerEntry& entry,
                        const std::map<std::string, ParameterValue>& point, std::uint64_t n) {
  std::map<std::string, ParameterValue> values = point;
  for (const auto& [name, given] : entry.given)
    values[name] =
        given.over_n ? ParameterValue(std::get<double>(given.value) / static_cast<double>(n)) : given.value;
  try {
    return ParameterValues::Resolve(entry.info->parameters, values);
  } catch (const InvalidArgument& error) {
    throw SpecError(spec.path + ": learner '" + entry.key + "': " + error.what());
  }
}

}  // namespace

json ToJson(const ParameterValue& value) {
  return std::visit([](const auto& v) { return json(v); }, value);
}

std::string ToText(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return fmt::format("{:.6g}", std::get<double>(value));
}

std::string Trial::Name() const {
  return experiment + "/" + learner_key + (grid_point.empty() ? "" : "[" + grid_point + "]") + "/r" +
         std::to_string(repetition);
}

std::string Trial::FileName() const {
  return learner_key + "-r" + std::to_string(repetition) + "-" + id + ".h5";
}

std::uint64_t Trial::StreamSeed() const {
  return DeriveSeed({{"experiment", experiment},
                     {"data", data.train.name},
                     {"repetition", std::to_string(repetition)},
                     {"purpose", "order"}});
}

namespace {

// The trials of a spec on one of its data sets.
std::vector<Trial> PlanDataSet(const Spec& spec, const std::string& name, const Catalog& catalog,
                               const DataFolders& folders) {
  const DataSet& set = catalog.Find(name);
  Trial base;
  base.experiment = spec.experiment;
  base.data = spec.data;
  base.data.train.name = name;
  base.kernel = spec.kernel;
  base.trace = spec.trace;
  base.double_precision = spec.double_precision;
  DataRequest test = base.data.train;
  test.part = spec.data.test_part;
  try {
    base.train_plan = PlanData(set, base.data.train, folders);
    if (!test.part.empty()) base.test_plan = PlanData(set, test, folders);
    base.stand_in = base.train_plan.stand_in || base.test_plan.stand_in;
    if (base.stand_in && !base.data.train.force_stand_in) {
      // Never real rows on one side and generated ones on the other.
      base.data.train.force_stand_in = test.force_stand_in = true;
      base.train_plan = PlanData(set, base.data.train, folders);
      if (!test.part.empty()) base.test_plan = PlanData(set, test, folders);
    }
  } catch (const DataError& error) {
    throw SpecError(spec.path + ": " + error.what());
  }
  base.examples = StreamLength(spec.data.stream, base.train_plan.rows);
  const std::uint64_t per_epoch = base.examples / spec.data.stream.epochs;

  std::vector<Trial> plan;
  for (const LearnerEntry& entry : spec.learners) {
    if (entry.info->batch && spec.data.stream.epochs != 1)
      throw SpecError(spec.path + ": learner '" + entry.key + "' is a batch method; data.epochs must be 1");
    for (const auto& point : Points(entry)) {
      Trial trial = base;
      trial.learner_key = entry.key;
      trial.label = entry.label;
      trial.info = entry.info;
      trial.parameters = Resolve(spec, entry, point, per_epoch);
      if (spec.data.names.size() > 1) trial.grid_point = "data=" + name;
      trial.expected_evaluations = entry.info->expected_evaluations(trial.parameters, trial.examples);
      for (const auto& [axis, values] : entry.grid)
        trial.grid_point += (trial.grid_point.empty() ? "" : ",") + axis + "=" + ToText(point.at(axis));
      for (std::uint64_t r = 0; r < spec.repetitions; ++r) {
        trial.repetition = r;
        trial.canonical = Canonical(trial);
        trial.id = Sha256Hex(trial.canonical.dump()).substr(0, 16);
        plan.push_back(trial);
      }
    }
  }
  return plan;
}

}  // namespace

std::vector<Trial> MakePlan(const Spec& spec, const Catalog& catalog, const DataFolders& folders) {
  std::vector<Trial> plan;
  for (const std::string& name : spec.data.names)
    for (Trial& trial : PlanDataSet(spec, name, catalog, folders)) plan.push_back(std::move(trial));
  return plan;
}

}  // namespace okbench
