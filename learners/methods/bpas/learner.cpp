#include "learners/methods/bpas/bpas.h"

namespace okbench::bpas {

// Typical share of examples that become support vectors (Adult, IJCNN1, USPS).
constexpr double kShare = 0.4;

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table
      .Real(&Options::c, "C", "C", Positive(), "",
            "aggressiveness: upper bound of the step, without the projection")
      .Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
               "support vectors per function, or in total (joint); the cheapest one to remove is replaced");
  AddJoint(table);
  return DefineOneVsRest<Method>({.name = "bpas",
                                  .title = "Passive-aggressive on a budget (BPA-S)",
                                  .paper = "Wang and Vucetic 2010",
                                  .weights = true,
                                  .labels = {},
                                  .update = "f <- f + (y min(C, (1 - y f(x)) / k(x, x)) + alpha_r k(x_r, x) "
                                            "/ k(x, x)) k(x, .) - alpha_r k(x_r, .) "
                                            "when y f(x) < 1",
                                  .estimator = {.name = "BPAS"}},
                                 table, [](const Options& options, const Workload& work) {
                                   return FunctionSetCost(work, kShare, options.budget, 1, 0, options.joint);
                                 });
}

}  // namespace okbench::bpas
