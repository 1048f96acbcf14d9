#pragma once
// Two result sets side by side: learners matched by name, their errors tested over the seeds, their counts of
// kernel evaluations subtracted.

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
  std::string measure;    ///< "test error", "average error" (shares), or "test rmse", "rmse"
  double a = 0, b = 0;    ///< means over the seeds that both sets have
  PairedTest error;       ///< of b - a
  double adjusted_p = 1;  ///< Holm, over all learners
  std::int64_t requested = 0, computed = 0, evaluation = 0;  ///< b - a, summed over those seeds
  std::int64_t support_vectors = 0;
  /// Kernel evaluations that methods ask for are not the same.
  bool counts_differ() const { return requested != 0 || evaluation != 0; }
};

struct SetComparison {
  std::vector<LearnerComparison> learners;  ///< by name
  std::vector<std::string> only_a, only_b;  ///< trials that the other set lacks
  std::vector<std::string> failed;          ///< trials without a valid result, and in which set
  std::vector<std::string> unlike;          ///< trials of one name on other data, or of another length
};

/// Compares the trials of two result folders by name (experiment/learner[grid]/rN), cross validation left
/// out; `log` is told what Summarise tells. Throws TraceError or SpecError.
SetComparison CompareSets(const std::string& a, const std::string& b, const LogFn& log = NoLog);

/// Whether any learner's error differs at this level (after Holm's adjustment; with a single seed: at all),
/// counts differ, or trials are missing, failed or not alike.
bool Differs(const SetComparison& comparison, double level);

nlohmann::json ToJson(const SetComparison& comparison);

}  // namespace okbench
