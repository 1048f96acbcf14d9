#pragma once
// TrialIdentity: the JSON whose digest is the id of a trial.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// Everything that determines the trace of a trial. The trial id is the first 16 hexadecimal digits of the
/// SHA-256 of this JSON. Format: docs/reference/traces.md, attribute `spec`.
nlohmann::json TrialIdentity(const Trial& trial);

/// The parameters of a trial as JSON, without those that its search chooses.
nlohmann::json FixedParameters(const Trial& trial);

/// The trial id of this JSON.
std::string TrialId(const nlohmann::json& canonical);

/// A text in which one number varies.
class TextTemplate {
 public:
  /// `zero`, `unit`: the text with the numbers 0 and 1.
  TextTemplate(const std::string& zero, const std::string& unit);
  std::string With(std::uint64_t number) const { return before_ + std::to_string(number) + after_; }

 private:
  std::string before_, after_;
};

/// Ids of the trials that differ from `trial` in the repetition alone. Faster than TrialId(TrialIdentity()).
class RepetitionIds {
 public:
  explicit RepetitionIds(const Trial& trial);
  std::string Of(std::uint64_t repetition) const;

 private:
  TextTemplate canonical_;
};

}  // namespace okbench
