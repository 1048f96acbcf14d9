#include "harness/plan/axes.h"

#include <algorithm>
#include <set>
#include <variant>

#include "harness/plan/plan.h"

namespace okbench {
namespace {

using nlohmann::json;

json ValueOf(const SpecValue& given) {
  return given.divide_by_n ? json{{"divide_by_n", ToJson(given.value)}} : ToJson(given.value);
}

json BatchOf(const ParameterValue& batch) {
  return std::holds_alternative<double>(batch) ? json{{"share", ToJson(batch)}} : ToJson(batch);
}

// The axes of one learner in one tier.
class LearnerAxes {
 public:
  explicit LearnerAxes(json& axes) : axes_(axes) {}

  void Add(const std::string& axis, const json& value) {
    json& values = axes_[axis];
    if (!values.is_array()) values = json::array();
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  void Add(const std::vector<Axis>& axes) {
    for (const Axis& axis : axes)
      for (const SpecValue& value : axis.values) Add(axis.name, ValueOf(value));
  }

 private:
  json& axes_;
};

void AddLearner(const Spec& spec, const LearnerEntry& entry, json& all) {
  LearnerAxes axes(all);
  for (const std::string& name : spec.data.names) axes.Add("data", name);
  for (std::uint64_t r = 0; r < spec.repetitions; ++r) axes.Add("repetition", r);
  for (const ParameterValue& batch : spec.data.batches) axes.Add("batch", BatchOf(batch));
  for (const std::uint64_t delay : spec.data.delays) axes.Add("delay", delay);
  axes.Add(spec.kernel.grid);
  axes.Add(spec.kernel.tune);
  for (const auto& [name, value] : entry.given) axes.Add(name, ValueOf(value));
  axes.Add(entry.grid);
  axes.Add(entry.tune);
}

}  // namespace

json AxesOf(const std::string& path, const Catalog& catalog) {
  json learners = json::object(), methods = json::object();
  std::string experiment, title;
  for (const char* tier : kTiers) {
    const Spec spec = ReadSpec(path, tier, {}, catalog);
    experiment = spec.experiment;
    title = spec.title;
    for (const LearnerEntry& entry : spec.learners) {
      methods[entry.key] = entry.info->name;
      AddLearner(spec, entry, learners[entry.key]);
    }
  }
  return {{"experiment", experiment}, {"title", title}, {"methods", methods}, {"learners", learners}};
}

}  // namespace okbench
