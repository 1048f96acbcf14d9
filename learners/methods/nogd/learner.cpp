#include "learners/methods/nogd/nogd.h"

namespace okbench::nogd {
namespace {

// Share of the examples that are margin errors (Adult, IJCNN1, USPS).
constexpr double kShare = 0.4;

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Integer(&Options::budget, "budget", "B", {1, 100000}, "support vectors",
               "of one function: when it has so many, its feature map is made")
      .Real(&Options::eta, "eta", "eta", Positive(), "", "step size")
      .Real(&Options::rank, "rank", "k / B", {0, 1, true}, "share of the budget",
            "coordinates of the feature map, of the largest eigenvalues of the members' kernel matrix")
      .Choice(&Options::zero, "start", {{"carried", false}, {"zero", true}},
              "w when the feature map is made: the function so far (MATLAB code), or 0 (C++ code)");
  return table;
}

// Of each function: K, its eigenvectors, about 6 multiply-adds an entry and member, and steps with the map.
Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = FunctionSetCost(work, kShare, options.budget, 0, 0);
  const auto budget = static_cast<double>(options.budget), rank = static_cast<double>(RankOf(options)),
             outputs = static_cast<double>(work.outputs),
             margin_errors = kShare * static_cast<double>(work.examples);
  if (margin_errors > budget)
    cost.multiply_adds +=
        outputs * (6 * budget * budget * budget + 2 * (margin_errors - budget) * budget * rank);
  // K while it is put together or taken apart, in three copies, then the map.
  const std::uint64_t members = std::min<std::uint64_t>(options.budget, work.examples);
  cost.bytes += 8 * (work.outputs * members * (RankOf(options) + members / 2) + 4 * members * members);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "nogd",
       .title =
           "Nystroem online gradient descent: a linear model over features of a budget of support vectors",
       .paper = "Lu et al. 2016",
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "w <- w + eta y z(x) when y w'z(x) < 1, z(x) = D^-1/2 V'k(x) once there are B members",
       .estimator = {.name = "NOGD"}},
      Parameters(), CostOf, Constructs<Nogd>());
}

}  // namespace okbench::nogd
