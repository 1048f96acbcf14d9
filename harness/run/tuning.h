#pragma once
// Tuning: chooses parameters from the traces of search trials (cross-validation folds or stream prefixes).

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// Result of the parameter search of a trial.
struct Choice {
  std::size_t candidate = 0;  ///< index in Trial::candidates
  /// Stored in the summary: the chosen values, the validation error of every candidate (error rate, or root
  /// mean squared error for regression), and the number of trials and evaluations of the search.
  nlohmann::json tuned;
};

/// Chooses the candidate with the fewest mistakes (regression: the smallest squared error), summed over all
/// held-out folds or counted on the prefix of the stream. The first candidate wins ties. A candidate with a
/// diverged search trial is not chosen; its error in `tuned` is null. Reads the traces in `folder`.
/// Throws TrialFailure "cross-validation" if a search trial has no result, or if every candidate diverged.
Choice Choose(const Trial& trial, const std::string& folder);

}  // namespace okbench
