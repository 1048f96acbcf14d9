#include <algorithm>
#include <cmath>

#include "learners/methods/forgetron/forgetron.h"

namespace okbench::forgetron {
namespace {

// Share of the examples that are mistakes (Adult, IJCNN1, USPS).
constexpr double kMistakes = 0.2;

}  // namespace

// q(phi) = a phi^2 + b phi - limit is negative at 0. Where it is positive at 1 it changes its sign once
// between.
double LargestShrink(double a, double b, double limit) {
  if (a + b <= limit) return 1;
  const double root = 2 * limit / (b + std::sqrt(std::max(0.0, b * b + 4 * a * limit)));
  return std::min(1.0, root);
}

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
                "of a function; then the oldest one leaves for the one that comes");
  return DefineOneVsRest<Method>(
      {.name = "forgetron",
       .title = "Forgetron, self-tuned",
       .paper = "Dekel et al. 2008",
       .labels = {},
       .update = "f <- f + y k(x, .) when y f(x) <= 0; beyond the budget f shrinks by phi, and the oldest "
                 "member leaves"},
      table, [](const Options& options, const Workload& work) {
        // Once the budget is full a mistake asks for the row of the oldest member, and passes over it.
        const bool fills =
            kMistakes * static_cast<double>(work.examples) > static_cast<double>(options.budget);
        return FunctionSetCost(work, kMistakes, options.budget, fills ? 2 : 0, fills ? 1 : 0);
      });
}

}  // namespace okbench::forgetron
