#include "learners/api/learner_info.h"
#include "learners/bases/linear_model.h"
#include "learners/methods/linear_passive_aggressive/linear_passive_aggressive.h"

namespace okbench::linear_passive_aggressive {
namespace {

Cost CostOf(const Options& /*options*/, const Workload& work) {
  // A dot product for each output, and an update of about half of them.
  const auto outputs = static_cast<double>(work.outputs);
  Cost cost = LinearCost(work, 1.5 * outputs);
  cost.measuring_adds *= outputs;
  cost.bytes *= work.outputs;
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::c, "C", "C", Positive(), "", "aggressiveness: upper bound of tau");
  return DefineLearner<Protocol::kStream>(
      {.name = "linear-passive-aggressive",
       .title = "Linear passive-aggressive (PA-I), with explicit weights",
       .paper = "Crammer et al. 2006, fig. 1",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "w <- w + min(C, (1 - y <w, x>) / ||x||^2) y x when y <w, x> < 1",
       .linear = true},
      table, CostOf, Constructs<LinearPassiveAggressive>());
}

}  // namespace okbench::linear_passive_aggressive
