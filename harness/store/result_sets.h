#pragma once
// Compares two result sets learner by learner: a paired test of the errors over the seeds, and differences of
// the counts of kernel evaluations.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/store/log.h"
#include "harness/store/statistics.h"

namespace okbench {

/// One learner (with one grid point) of an experiment in both sets.
struct LearnerComparison {
  std::string name;       ///< experiment/learner[grid]
  std::string measure;    ///< "test error" or "average error" (rates in [0, 1]), "test rmse" or "rmse"
  double a = 0, b = 0;    ///< means over the common seeds
  PairedTest error;       ///< test of b - a
  double adjusted_p = 1;  ///< p value after Holm's adjustment over all tested learners
  std::int64_t requested = 0, computed = 0, evaluation = 0;  ///< b - a, summed over the common seeds
  std::int64_t support_vectors = 0;                          ///< b - a, summed over the common seeds
  /// Whether the counts that must be equal for equal results differ.
  bool counts_differ() const { return requested != 0 || evaluation != 0; }
};

/// Result of CompareSets.
struct SetComparison {
  std::vector<LearnerComparison> learners;  ///< sorted by name
  std::vector<std::string> only_a, only_b;  ///< trials that the other set lacks
  std::vector<std::string> failed;          ///< trials without a valid result, with status and set
  std::vector<std::string> unlike;          ///< trials whose data or number of examples differs
};

/// Compares the trials of two result folders by name (experiment/learner[grid]/rN), without cross-validation.
/// `log` receives the messages of Summarise. Throws TraceError or SpecError.
SetComparison CompareSets(const std::string& a, const std::string& b, const LogFn& log = NoLog);

/// Whether a learner's error differs at this significance level after Holm's adjustment (with a single seed:
/// whether it differs at all), counts differ, or trials are missing, failed or not comparable.
bool Differs(const SetComparison& comparison, double level);

/// The comparison as JSON, for `okbench compare --json`.
nlohmann::json ToJson(const SetComparison& comparison);

}  // namespace okbench
