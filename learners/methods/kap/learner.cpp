#include "learners/methods/kap/kap.h"

namespace okbench::kap {
namespace {

// Typical share of examples that join the dictionary.
constexpr double kAdded = 0.02;

Cost CostOf(const Options& options, const Workload& work) {
  const auto p = static_cast<double>(options.memory);
  // Products of the new row, predictions of all rows, and the step: p passes each.
  Cost cost = FunctionSetCost(work, kAdded, options.budget, 3 * p / kAdded, 0);
  cost.multiply_adds += static_cast<double>(work.examples) * p * p * p / 6;
  cost.computed += cost.vectors * (p - 1);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::mu0, "mu0", "mu_0", {0, 1}, "", "largest coherence of a new member of the dictionary")
      .Real(&Options::eta, "eta", "eta", {0, 2, true}, "", "step size")
      .Real(&Options::epsilon, "epsilon", "epsilon", Positive(), "squared kernel value",
            "regulariser of the system of the last kernel rows")
      .Integer(&Options::memory, "memory", "p", {1, 1000}, "examples", "number of last examples in a step")
      .Integer(&Options::budget, "budget", "B", {0, 1e6}, "support vectors",
               "maximum size of the dictionary; 0: no limit");
  return DefineOneVsRest<Method>(
      {.name = "kap",
       .title = "KAP: kernel affine projection with the coherence criterion",
       .paper = "Richard, Bermudez and Honeine 2009",
       .weights = true,
       .labels = {LabelKind::kReal},
       .update =
           "dictionary as in KNLMS; alpha += eta H' (eps I + H H')^-1 (y - H alpha) over the last p rows",
       .estimator = {.name = "KAP"}},
      table, CostOf);
}

}  // namespace okbench::kap
