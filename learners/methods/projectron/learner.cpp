#include "learners/methods/projectron/projectron.h"

namespace okbench::projectron {
namespace {

// Typical shares of examples that are added, and that are added or projected (Adult, IJCNN1, USPS).
constexpr double kAdded = 0.05, kUpdated = 0.3;

Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = FunctionSetCost(work, kAdded, options.budget, kUpdated / kAdded, 0);
  const auto steps = static_cast<double>(work.examples), outputs = static_cast<double>(work.outputs);
  const double most = options.budget == 0 ? steps : static_cast<double>(options.budget);
  cost.multiply_adds += outputs * kUpdated / kAdded * GramFactor::Work(steps, kAdded, most);
  const double members = std::min(most, steps);
  cost.bytes += static_cast<std::uint64_t>(outputs * members * members / 2 * sizeof(double));
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table
      .Real(&Options::eta, "eta", "eta", NonNegative(), "RKHS norm",
            "distance from the span up to which an example is projected")
      .Choice(&Options::plus_plus, "variant", {{"plus-plus", true}, {"plain", false}},
              "Projectron++, or plain Projectron without steps on margin errors")
      .Choice(&Options::squared, "compare", {{"delta", false}, {"squared", true}},
              "quantity compared with eta: the distance, or its square (as in DOGMA)")
      .Integer(&Options::budget, "budget", "B", {0, 1e5}, "support vectors",
               "maximum number of support vectors per function; 0: no limit");
  return DefineOneVsRest<Method>(
      {.name = "projectron",
       .title = "Projectron++: a perceptron that projects onto its support set",
       .paper = "Orabona, Keshet and Caputo 2009",
       .weights = true,
       .labels = {},
       .update = "f <- f + y P k(x, .) when y f(x) <= 0 and delta <= eta, "
                 "f + y k(x, .) when delta > eta; margin errors: f + y a P k(x, .)",
       .revision = 2},
      table, CostOf);
}

}  // namespace okbench::projectron
