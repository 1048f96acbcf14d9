#pragma once
// The search of a tuned trial: its runs, and the values that it tries.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

/// One tuned parameter.
struct TunedAxis {
  std::string name;                    ///< key in Candidate::values
  std::vector<nlohmann::json> values;  ///< in the order of the spec
};

/// The axes of all combinations of tuned values; parameters of the kernel first, then by name.
std::vector<TunedAxis> TunedAxes(const std::vector<Candidate>& candidates);

/// The trial `of` with the values of a candidate. Its trace holds only final results.
Trial SearchTrial(const Trial& of, const Candidate& candidate);

/// The same on the first examples of the stream of `of`.
Trial PrefixTrial(const Trial& of, const Candidate& candidate);

/// Cost of a trial on a workload, with the runs of a search on the beginning of its stream, whose number is
/// an upper bound. Throws InvalidArgument if the cost model rejects the parameters.
Cost CostOf(const Trial& trial, const Workload& workload);

}  // namespace okbench
