#pragma once
// Tuning: chooses parameters from the traces of the folds of a cross validation, or on the beginning of a
// stream.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"
#include "harness/trial/data_cache.h"
#include "harness/trial/stop_token.h"

namespace okbench {

/// Result of the parameter search of a trial.
struct Choice {
  std::size_t candidate = 0;  ///< index in Trial::candidates
  /// Stored in the summary: the chosen values, the validation errors (error rate, or root mean squared
  /// error for regression), and the number of runs and evaluations of the search. docs/reference/specs.md
  nlohmann::json tuned;
  double seconds = 0;  ///< of learning during the search; 0 for folds, which are trials of their own
};

/// Chooses the candidate with the fewest mistakes, summed over all held-out folds. The first candidate wins
/// ties. A candidate with a diverged fold is not chosen; its error in `tuned` is null. Reads the traces in
/// `folder`. Throws TrialFailure "cross-validation" if a fold has no result, or if every candidate
/// diverged.
Choice ChooseByFolds(const Trial& trial, const std::string& folder);

/// Chooses the candidate with the fewest mistakes (regression: the smallest squared error) on the first
/// examples of the stream. The first one tried wins ties.
///
/// Search::kGrid tries all. Search::kCoordinates tries the values of one axis after the other, parameters
/// of the kernel first, in the order of the spec, with the best values so far of the other axes, at first
/// their median values. If there is more than one axis, it then tries the next smaller and the next larger
/// value of the first. There a candidate stops when its error has reached that of the best so far, so it
/// cannot win.
///
/// Throws what RunTrial() throws, and TrialFailure "cross-validation" if every candidate diverged.
Choice ChooseOnPrefix(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead);

}  // namespace okbench
