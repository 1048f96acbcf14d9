#include "base/error.h"
#include "learners/methods/bsgd/bsgd.h"

namespace okbench::bsgd {
namespace {

// Typical share of examples that are margin errors (Adult, IJCNN1, USPS).
constexpr double kShare = 0.3;

Cost CostOf(const Options& options, const Workload& work) {
  const bool limited = options.maintenance != Maintenance::kNone;
  const bool merging = options.maintenance == Maintenance::kMerging;
  // A merge compares p with every support vector of its sign: a golden section of about 40 exponentials each.
  Cost cost = FunctionSetCost(work, kShare, limited ? options.budget : 0, merging ? 600 : 1, 0);
  if (options.maintenance != Maintenance::kProjection) return cost;
  const auto steps = static_cast<double>(work.examples), outputs = static_cast<double>(work.outputs);
  const auto budget = static_cast<double>(options.budget);
  // Per update: a projection and a removal.
  cost.multiply_adds += 2 * outputs * GramFactor::Work(steps, kShare, budget);
  const double members = std::min(steps, budget);
  cost.bytes += static_cast<std::uint64_t>(outputs * members * members / 2 * sizeof(double));
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "",
            "regulariser: lambda/2 ||f||^2 + mean hinge loss")
      .Choice(&Options::maintenance, "maintenance",
              {{"merging", Maintenance::kMerging},
               {"projection", Maintenance::kProjection},
               {"removal", Maintenance::kRemoval},
               {"none", Maintenance::kNone}},
              "budget maintenance of the smallest coefficient; merging needs an rbf kernel")
      .Integer(&Options::merge_points, "merge_points", "M", {2, 100}, "support vectors",
               "merging: support vectors that become one, by M - 1 merges")
      .Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
               "maximum number of support vectors per function");
  LearnerDescription about{
      .name = "bsgd",
      .title = "BSGD: budgeted stochastic gradient descent; Pegasos with kernels",
      .paper = "Wang, Crammer and Vucetic 2012",
      .weights = true,
      .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
      .update = "f <- (1 - 1/t) f, and + y k(x, .) / (lambda t) when y f(x) < 1; over budget maintenance",
      .estimator = {.name = "BSGD"},
      .revision = 2};
  return DefineLearner<Protocol::kStream>(
      std::move(about), table, CostOf, []<class T>(const Options& options, const LearnerContext<T>& context) {
        const bool merging = options.maintenance == Maintenance::kMerging;
        if (merging && (context.kernel.kind != KernelKind::kRbf || context.kernel.bias != 0))
          throw InvalidArgument("maintenance = \"merging\" needs an rbf kernel");
        return std::make_unique<OneVsRest<T, Method>>(options, context, merging);
      });
}

}  // namespace okbench::bsgd
