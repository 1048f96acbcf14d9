#include "learners/methods/krls/krls.h"

namespace okbench::krls {
namespace {

// Typical share of examples that join the dictionary.
constexpr double kAdded = 0.05;

Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = FunctionSetCost(work, kAdded, options.budget, 3 / kAdded, 0);
  const auto steps = static_cast<double>(work.examples);
  const double most = options.budget == 0 ? steps : static_cast<double>(options.budget);
  // Each step: K^-1 k, P a, P's update, K^-1 q.
  cost.multiply_adds += 4 / kAdded * GramFactor::Work(steps, kAdded, most);
  const double members = std::min(most, steps);
  cost.bytes += static_cast<std::uint64_t>(members * members * sizeof(double));
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table
      .Real(&Options::nu, "nu", "nu", NonNegative(), "squared RKHS norm",
            "squared distance from the dictionary's span above which an example joins it")
      .Integer(&Options::budget, "budget", "B", {0, 1e5}, "support vectors",
               "maximum size of the dictionary; 0: no limit");
  return DefineOneVsRest<Method>(
      {.name = "krls",
       .title = "KRLS-ALD: kernel recursive least squares",
       .paper = "Engel, Mannor and Meir 2004",
       .weights = true,
       .labels = {LabelKind::kReal},
       .update =
           "x joins the dictionary when k(x, x) - k'K^-1 k > nu, else alpha <- alpha + K^-1 q (y - f(x))",
       .estimator = {.name = "KRLS"},
       .revision = 2},
      table, CostOf);
}

}  // namespace okbench::krls
