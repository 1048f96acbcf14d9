#include "learners/methods/rbp/rbp.h"

namespace okbench::rbp {

// Share of the examples that are mistakes (Adult, IJCNN1, USPS).
constexpr double kShare = 0.15;

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
                "of a function; then one drawn uniformly leaves for the one that comes");
  return DefineOneVsRest<Method>(
      {.name = "rbp",
       .title = "Randomised budget perceptron (RBP)",
       .paper = "Cavallanti et al. 2007",
       .labels = {},
       .update =
           "f <- f + y k(x, .) when y f(x) <= 0; beyond the budget a member drawn uniformly leaves first",
       .estimator = {.name = "RBP"}},
      table, [](const Options& options, const Workload& work) {
        return FunctionSetCost(work, kShare, options.budget, 0, 0);
      });
}

}  // namespace okbench::rbp
