#include "learners/bases/budget_learner.h"

namespace okbench {

void BudgetOptions::Validate() const {
  if (cache == CachePolicy::kAdaptive && beta == 0)
    throw InvalidArgument("cache = adaptive needs beta > 0; with beta = 0 it removes each new example");
}

ParameterTable<BudgetOptions> BudgetParameters(const BudgetOptions& defaults) {
  ParameterTable<BudgetOptions> table(defaults);
  table
      .Real(&BudgetOptions::beta, "beta", "beta", defaults.beta > 0 ? Positive() : NonNegative(), "score",
            "margin threshold: insert at or below it; an adaptive cache removes at or above it")
      .Choice(&BudgetOptions::cache, "cache",
              {{"none", CachePolicy::kNone},
               {"fixed", CachePolicy::kFixed},
               {"adaptive", CachePolicy::kAdaptive}},
              "no budget, at most `budget` support patterns (figure 3), or DistillCache (figures 1 and 2)")
      .Integer(&BudgetOptions::budget, "budget", "n", {2, 100000000}, "support patterns",
               "budget of a fixed cache")
      .Replaces("size")
      .Choice(&BudgetOptions::hold_rows, "removal_rows", {{"recompute", false}, {"cached", true}},
              "kernel row of a removal: evaluated again, or cached at insertion (more memory)")
      .Replaces("removal_row");
  return table;
}

namespace {

// Shares of the examples in the cache at the end of a run (USPS, letter, MNIST).
constexpr double kShareKept = 0.45, kShareKeptAdaptive = 0.35;
// Passes over all scores of the cache per insertion and removal, including the search for the member to
// remove.
constexpr double kPasses = 25;

}  // namespace

Cost BudgetCost(const BudgetOptions& options, const Workload& work) {
  const std::uint64_t n = work.examples;
  // Every step requests a row over the cache and k(x, x). Removals request at most one more row per step on
  // average.
  const bool removes = options.cache != CachePolicy::kNone;
  const std::uint64_t size = options.cache == CachePolicy::kFixed ? options.budget : n;
  const std::uint64_t filling = std::min(n, size);
  const std::uint64_t rows = filling * (filling - (filling > 0 ? 1 : 0)) / 2 + (n - filling) * size;
  const bool again = removes && !options.hold_rows;
  Cost cost;
  cost.requested = rows * (again ? 2 : 1) + (again ? n : 0) + n;
  const auto steps = static_cast<double>(n);
  const double share = options.cache == CachePolicy::kAdaptive ? kShareKeptAdaptive : kShareKept;
  cost.vectors = std::min(share * steps, static_cast<double>(size));
  const double sizes = GrowingRows(steps, share, static_cast<double>(size));  // summed over the steps
  cost.computed = sizes * (again ? 1 + share : 1) + steps;
  const double removals = removes ? share : 0;
  const auto outputs = static_cast<double>(work.outputs);
  cost.multiply_adds = sizes * (outputs - 1 + outputs * kPasses * removals);
  // A cached row is as wide as the cache was when its example was inserted.
  const std::uint64_t cache_bytes = removes && options.hold_rows ? filling * filling * work.value_bytes : 0;
  cost.bytes = filling * (work.row_bytes + work.lookahead * work.value_bytes + (2 * work.outputs + 8) * 8) +
               cache_bytes;
  return cost;
}

}  // namespace okbench
