#include "learners/budget/budget_learner.h"

namespace okbench {

std::vector<Parameter> BudgetParameters(double beta) {
  return {
      RealParameter("beta", "beta", beta, 0, 1e12, beta > 0, "score",
                    "margin at or below which an example is inserted; an adaptive cache also removes at it"),
      ChoiceParameter(
          "cache", {"none", "fixed", "adaptive"},
          "no budget, at most `size` support patterns (figure 3), or DistillCache (figures 1 and 2)"),
      IntegerParameter("size", "n", 1000, 2, 100000000, "support patterns", "budget of a fixed cache"),
      ChoiceParameter(
          "removal_row", {"again", "held"},
          "the kernel row of a removal is asked for again, or held from the insertions (more memory)"),
  };
}

std::uint64_t BudgetEvaluations(const ParameterValues& values, const Workload& work) {
  const std::uint64_t n = work.examples;
  // Every step: a row over the cache and k(x,x); with removals at most one more row a step on average.
  const bool fixed = values.Choice("cache") == "fixed";
  const auto size = fixed ? static_cast<std::uint64_t>(values.Integer("size")) : n;
  const std::uint64_t filling = std::min(n, size);
  const std::uint64_t rows = filling * (filling - (filling > 0 ? 1 : 0)) / 2 + (n - filling) * size;
  const bool again = values.Choice("cache") != "none" && values.Choice("removal_row") == "again";
  return rows * (again ? 2 : 1) + (again ? n : 0) + n;
}

}  // namespace okbench
