// Names, file names and seeds of trials.

#include <fmt/format.h>

#include <algorithm>

#include "harness/plan/plan.h"
#include "learners/core/random.h"

namespace okbench {

using nlohmann::json;

json ToJson(const ParameterValue& value) {
  return std::visit([](const auto& v) { return json(v); }, value);
}

std::string ToText(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return fmt::format("{:.6g}", std::get<double>(value));
}

bool SameSetting(const Trial& a, const Trial& b) {
  return &*a.parameters == &*b.parameters && &*a.data == &*b.data && a.batch == b.batch &&
         a.kernel_point == b.kernel_point && a.learner_key == b.learner_key && a.grid_point == b.grid_point &&
         &*a.candidates == &*b.candidates && &*a.hedged == &*b.hedged && a.fold() == b.fold();
}

std::string Trial::Name() const {
  return experiment + "/" + learner_key + (grid_point.empty() ? "" : "[" + grid_point + "]") + "/" +
         NameSuffix();
}

std::string Trial::DataMark() const {
  if (synthetic) return " [SYNTHETIC DATA]";
  return replacement.empty() ? "" : " [" + replacement + "]";
}

std::vector<std::string> Trial::Needs() const {
  std::vector<std::string> needs;
  for (const Candidate& candidate : *candidates)
    needs.insert(needs.end(), candidate.ids.begin(), candidate.ids.end());
  return needs;
}

std::string Trial::FileName() const { return learner_key + "-" + NameSuffix() + "-" + id + ".h5"; }

std::string Trial::NameSuffix() const {
  return fold() ? "f" + std::to_string(data->train.fold->fold) : "r" + std::to_string(repetition);
}

std::uint64_t Trial::PrefixLength() const {
  const double share = validation.stream_share * static_cast<double>(training);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share));
}

std::uint64_t Trial::Seed(const std::string& purpose) const {
  return DeriveSeed({{"experiment", seed},
                     {"data", data->train.name},
                     {"repetition", std::to_string(repetition)},
                     {"purpose", purpose}});
}

}  // namespace okbench
