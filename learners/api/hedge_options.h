#pragma once
// HedgeOptions: settings of a Hedge over several learners (learners/bases/hedge.h).

namespace okbench {

/// Raise it with every change of Hedge that may change a trace. Part of the ids of trials with Hedge.
inline constexpr int kHedgeRevision = 1;

struct HedgeOptions {
  double beta = 0.9;       ///< factor of a weight for a loss of 1, > 0 and < 1
  double discount = 0.01;  ///< discount of old losses at each step, >= 0 and < 1
};

}  // namespace okbench
