#include "learners/methods/passive_aggressive/passive_aggressive.h"

namespace okbench::passive_aggressive {

// Typical share of examples that become support vectors (Adult, IJCNN1, USPS).
constexpr double kShare = 0.4;

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::c, "C", "C", Positive(), "", "aggressiveness: upper bound of a coefficient");
  return DefineOneVsRest<Method>(
      {.name = "passive-aggressive",
       .title = "Kernel passive-aggressive (PA-I)",
       .paper = "Crammer et al. 2006, fig. 1",
       .weights = true,
       .labels = {},
       .update = "f <- f + min(C, (1 - y f(x)) / k(x, x)) y k(x, .) when y f(x) < 1",
       .estimator = {.name = "PassiveAggressive"}},
      table, [](const Options&, const Workload& work) { return FunctionSetCost(work, kShare, 0, 0, 0); });
}

}  // namespace okbench::passive_aggressive
