#include <algorithm>
#include <cmath>

#include "learners/methods/forgetron/forgetron.h"

namespace okbench::forgetron {
namespace {

// Typical share of examples that are mistakes (Adult, IJCNN1, USPS).
constexpr double kMistakes = 0.2;

}  // namespace

// a phi^2 + b phi - limit is negative at phi = 0. If it is positive at 1, it has exactly one root in (0, 1).
double LargestShrink(double a, double b, double limit) {
  if (a + b <= limit) return 1;
  const double root = 2 * limit / (b + std::sqrt(std::max(0.0, b * b + 4 * a * limit)));
  return std::min(1.0, root);
}

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
                "support vectors per function; the oldest one is replaced");
  return DefineOneVsRest<Method>(
      {.name = "forgetron",
       .title = "Forgetron, self-tuned",
       .paper = "Dekel et al. 2008",
       .labels = {},
       .update = "f <- f + y k(x, .) when y f(x) <= 0; over budget, f shrinks by phi and loses its oldest "
                 "support vector"},
      table, [](const Options& options, const Workload& work) {
        // Once the budget is full, a mistake requests the row of the oldest support vector and sums over it.
        const bool fills =
            kMistakes * static_cast<double>(work.examples) > static_cast<double>(options.budget);
        return FunctionSetCost(work, kMistakes, options.budget, fills ? 2 : 0, fills ? 1 : 0);
      });
}

}  // namespace okbench::forgetron
