#include "learners/methods/knlms/knlms.h"

namespace okbench::knlms {
namespace {

// Typical share of examples that join the dictionary.
constexpr double kAdded = 0.02;

Cost CostOf(const Options& options, const Workload& work) {
  return FunctionSetCost(work, kAdded, options.budget, 2 / kAdded, 0);
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::mu0, "mu0", "mu_0", {0, 1}, "", "largest coherence of a new member of the dictionary")
      .Real(&Options::eta, "eta", "eta", {0, 2, true}, "", "step size")
      .Real(&Options::epsilon, "epsilon", "epsilon", Positive(), "squared kernel value",
            "regulariser of the normalisation by the squared kernel row")
      .Integer(&Options::budget, "budget", "B", {0, 1e6}, "support vectors",
               "maximum size of the dictionary; 0: no limit");
  return DefineOneVsRest<Method>(
      {.name = "knlms",
       .title = "KNLMS: kernel normalised least mean squares with the coherence criterion",
       .paper = "Richard, Bermudez and Honeine 2009",
       .weights = true,
       .labels = {LabelKind::kReal},
       .update = "x joins when its coherence is at most mu_0; alpha += eta / (eps + h'h) (y - h'alpha) h",
       .estimator = {.name = "KNLMS"}},
      table, CostOf);
}

}  // namespace okbench::knlms
