#pragma once
// Tuning: the choice of parameters, from the traces of the folds of cross validation, or of what candidates
// did on the beginning of a stream.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// What the search of a trial came to.
struct Choice {
  std::size_t candidate = 0;
  /// The chosen values, the validation error of every candidate (of regression the root mean squared error),
  /// and what the search cost: goes into the summary.
  nlohmann::json tuned;
};

/// The candidate with the fewest mistakes on the held-out folds, all folds together, or on the beginning of
/// the stream, or there with the least squared error; ties go to the one listed first. Traces are looked for
/// in `folder`. Throws TrialFailure ("cross-validation") when a fold has no result.
Choice Choose(const Trial& trial, const std::string& folder);

}  // namespace okbench
