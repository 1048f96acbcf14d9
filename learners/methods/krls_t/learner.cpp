#include "learners/methods/krls_t/krls_t.h"

namespace okbench::krls_t {
namespace {

Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = FunctionSetCost(work, 1, options.budget, 1, 0);
  const auto most = static_cast<double>(options.budget);
  // Each step: Q k, C q, C's update, forgetting, removal, and Q m.
  cost.multiply_adds += 7 * GramFactor::Work(static_cast<double>(work.examples), 1, most);
  cost.bytes += static_cast<std::uint64_t>(1.5 * most * most * sizeof(double));
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::lambda, "lambda", "lambda", {0, 1, true}, "", "forgetting factor; 1: forgets nothing")
      .Real(&Options::noise, "noise", "sigma_n^2", Positive(), "squared target", "variance of the noise")
      .Real(&Options::jitter, "jitter", "jitter", Positive(), "squared RKHS norm",
            "added to every k(x, x); examples nearer to the span of the dictionary do not join it")
      .Integer(&Options::budget, "budget", "M", {1, 1e5}, "support vectors",
               "maximum size of the dictionary");
  return DefineLearner<Protocol::kStream>(
      {.name = "krls-t",
       .title = "KRLS-T: kernel recursive least squares tracker, a Gaussian process that forgets",
       .paper = "Van Vaerenbergh, Lazaro-Gredilla and Santamaria 2012",
       .weights = true,
       .labels = {LabelKind::kReal},
       .update = "Gaussian process on a dictionary; C <- lambda C + (1 - lambda) K before each step",
       .estimator = {.name = "KRLST", .variance = true},
       .revision = 2},
      table, CostOf, Constructs<KrlsT>());
}

}  // namespace okbench::krls_t
