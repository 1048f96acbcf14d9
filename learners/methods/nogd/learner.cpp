#include "learners/methods/nogd/nogd.h"

namespace okbench::nogd {
namespace {

// Typical share of examples that are margin errors (Adult, IJCNN1, USPS).
constexpr double kShare = 0.4;

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Integer(&Options::budget, "budget", "B", {1, 100000}, "support vectors",
               "support vectors per function, or in total (joint), after which the feature map is made")
      .Real(&Options::eta, "eta", "eta", Positive(), "", "step size")
      .Real(&Options::rank, "rank", "k / B", {0, 1, true}, "share of the budget",
            "number of feature coordinates, those of the largest eigenvalues")
      .Choice(&Options::zero, "start", {{"carried", false}, {"zero", true}},
              "initial w of the feature map: the function so far (MATLAB code) or 0 (C++ code)");
  AddJoint(table);
  return table;
}

// Per feature map: the eigenvectors of K (SymmetricEigen), then steps with the map.
Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = FunctionSetCost(work, kShare, options.budget, 0, 0, options.joint);
  const auto budget = static_cast<double>(options.budget), rank = static_cast<double>(RankOf(options)),
             maps = options.joint ? 1 : static_cast<double>(work.outputs),
             margin_errors = kShare * static_cast<double>(work.examples);
  if (margin_errors > budget)
    cost.multiply_adds +=
        maps * (budget * budget * (4 * budget / 3 + 6 * rank) + 2 * (margin_errors - budget) * budget * rank);
  // Up to four copies of K and the rotations while the map is computed, then the map.
  const std::uint64_t members = std::min<std::uint64_t>(options.budget, work.examples);
  cost.bytes += 8 * ((options.joint ? 1 : work.outputs) * members * (RankOf(options) + members / 2) +
                     7 * members * members);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "nogd",
       .title =
           "Nystroem online gradient descent: a linear model over features of a budget of support vectors",
       .paper = "Lu et al. 2016",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "w <- w + eta y z(x) when y w'z(x) < 1, z(x) = D^-1/2 V'k(x) once there are B members",
       .estimator = {.name = "NOGD"},
       .revision = 2},
      Parameters(), CostOf, Constructs<Nogd>());
}

}  // namespace okbench::nogd
