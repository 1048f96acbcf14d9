#include "learners/bases/budget_learner.h"

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

namespace {

// Shares of the examples that are in the cache at the end (USPS, letter, MNIST).
constexpr double kShareKept = 0.45, kShareKeptAdaptive = 0.35;
// Passes over all scores of the cache that an insertion and a removal make, the search for the removal included.
constexpr double kPasses = 25;

}  // namespace

Cost BudgetCost(const ParameterValues& values, const Workload& work) {
  const std::uint64_t n = work.examples;
  // Every step: a row over the cache and k(x,x); with removals at most one more row a step on average.
  const bool fixed = values.Choice("cache") == "fixed";
  const auto size = fixed ? static_cast<std::uint64_t>(values.Integer("size")) : n;
  const std::uint64_t filling = std::min(n, size);
  const std::uint64_t rows = filling * (filling - (filling > 0 ? 1 : 0)) / 2 + (n - filling) * size;
  const bool again = values.Choice("cache") != "none" && values.Choice("removal_row") == "again";
  Cost cost;
  cost.requested = rows * (again ? 2 : 1) + (again ? n : 0) + n;
  const auto steps = static_cast<double>(n);
  const bool adaptive = values.Choice("cache") == "adaptive";
  const double share = adaptive ? kShareKeptAdaptive : kShareKept;
  cost.vectors = std::min(share * steps, static_cast<double>(size));
  const double sizes = GrowingRows(steps, share, static_cast<double>(size));  // summed over the steps
  cost.computed = sizes * (again ? 1 + share : 1) + steps;
  const double removals = values.Choice("cache") == "none" ? 0 : share;
  const auto outputs = static_cast<double>(work.outputs);
  cost.multiply_adds = sizes * (outputs - 1 + outputs * kPasses * removals);
  // A held row is as wide as the cache was when its example came in.
  const bool holds = values.Choice("cache") != "none" && values.Choice("removal_row") == "held";
  const std::uint64_t held = holds ? filling * filling * work.value_bytes : 0;
  cost.bytes = filling * (work.row_bytes + work.tile * work.value_bytes + (2 * work.outputs + 8) * 8) + held;
  return cost;
}

}  // namespace okbench
