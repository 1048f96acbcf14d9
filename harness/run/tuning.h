#pragma once
// Tuning: the choice of parameters by cross validation, from the traces of the folds.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// What the cross validation of a trial came to.
struct Choice {
  std::size_t candidate = 0;
  /// The chosen values, the validation error of every candidate, and what the search cost: goes into the
  /// summary.
  nlohmann::json tuned;
};

/// The candidate with the fewest mistakes on the held-out folds, all folds together; ties go to the one
/// listed first. Traces are looked for in `folder`. Throws TrialFailure ("cross-validation") when a fold has
/// no result.
Choice Choose(const Trial& trial, const std::string& folder);

}  // namespace okbench
