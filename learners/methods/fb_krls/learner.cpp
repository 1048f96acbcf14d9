#include "learners/methods/fb_krls/fb_krls.h"

namespace okbench::fb_krls {
namespace {

Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = FunctionSetCost(work, 1, options.budget, 1, 0);
  const auto most = static_cast<double>(options.budget);
  // Each step: removal, growth and the solution for y.
  cost.multiply_adds += 4 * GramFactor::Work(static_cast<double>(work.examples), 1, most);
  cost.bytes += static_cast<std::uint64_t>(most * most / 2 * sizeof(double));
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "squared RKHS norm",
            "ridge, added to every k(x, x)")
      .Integer(&Options::budget, "budget", "M", {1, 1e5}, "support vectors", "maximum number of examples");
  return DefineOneVsRest<Method>({.name = "fb-krls",
                                  .title = "FB-KRLS: kernel ridge regression on a fixed budget",
                                  .paper = "Van Vaerenbergh, Santamaria, Liu and Principe 2010",
                                  .weights = true,
                                  .labels = {LabelKind::kReal},
                                  .update = "alpha = (K + lambda I)^-1 y of M examples; the one with least "
                                            "|alpha_i| / [(K + lambda I)^-1]_ii leaves",
                                  .estimator = {.name = "FBKRLS"}},
                                 table, CostOf);
}

}  // namespace okbench::fb_krls
