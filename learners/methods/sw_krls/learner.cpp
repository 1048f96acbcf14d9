#include "learners/methods/sw_krls/sw_krls.h"

namespace okbench::sw_krls {
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
  table.Real(&Options::c, "c", "c", Positive(), "squared RKHS norm", "ridge, added to every k(x, x)")
      .Integer(&Options::budget, "budget", "M", {1, 1e5}, "support vectors", "length of the window");
  return DefineOneVsRest<Method>({.name = "sw-krls",
                                  .title = "SW-KRLS: kernel ridge regression on a sliding window",
                                  .paper = "Van Vaerenbergh, Via and Santamaria 2006",
                                  .weights = true,
                                  .labels = {LabelKind::kReal},
                                  .update = "alpha = (K + c I)^-1 y of the last M examples",
                                  .estimator = {.name = "SWKRLS"}},
                                 table, CostOf);
}

}  // namespace okbench::sw_krls
