#include "learners/methods/rbp/rbp.h"

namespace okbench::rbp {

// Typical share of examples that are mistakes (Adult, IJCNN1, USPS).
constexpr double kShare = 0.15;

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
                "support vectors per function; a uniformly drawn one is replaced");
  return DefineOneVsRest<Method>(
      {.name = "rbp",
       .title = "Randomised budget perceptron (RBP)",
       .paper = "Cavallanti et al. 2007",
       .weights = true,
       .labels = {},
       .update = "f <- f + y k(x, .) when y f(x) <= 0; at the budget, first removes a random support vector",
       .random = true,
       .estimator = {.name = "RBP"}},
      table, [](const Options& options, const Workload& work) {
        return FunctionSetCost(work, kShare, options.budget, 0, 0);
      });
}

}  // namespace okbench::rbp
