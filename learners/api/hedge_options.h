#pragma once
// HedgeOptions: settings of a Hedge over several learners (learners/bases/hedge.h).

#include <vector>

namespace okbench {

/// Raise it with every change of Hedge that may change a trace. Part of the ids of trials with Hedge.
inline constexpr int kHedgeRevision = 2;

struct HedgeOptions {
  double beta = 0.9;  ///< factor of a weight for a loss of 1, > 0 and < 1
  /// Discounts of old losses at each step, each >= 0 and < 1, at least one.
  std::vector<double> discounts = {0.01, 0.001, 0.0001};
};

}  // namespace okbench
