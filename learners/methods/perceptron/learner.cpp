#include "learners/methods/perceptron/perceptron.h"

namespace okbench::perceptron {

LearnerInfo Describe() {
  return DefineBudgetLearner(
      {.name = "perceptron",
       .title = "Aggressive perceptron on a budget (binary)",
       .paper = "budget-2003 secs. 2, 3",
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update = "f <- f + y k(x_t, .) when y f(x_t) <= beta; the cache policy removes support patterns"},
      {.beta = 0},
      [](const BudgetOptions& /*options*/, const auto& /*train*/) { return PerceptronUpdate(); });
}

}  // namespace okbench::perceptron
