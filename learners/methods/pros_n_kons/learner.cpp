#include "learners/bases/growing_dictionary.h"
#include "learners/methods/pros_n_kons/pros_n_kons.h"

namespace okbench::pros_n_kons {
namespace {

// Typical share of examples that are sampled.
constexpr double kAdded = 0.02;

Cost CostOf(const Options& options, const Workload& work) {
  // Each step: K^-1 k, the leverage, A^-1 phi, A's update and alpha.
  return DictionaryCost(work, kAdded, options.budget, 4);
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::alpha, "alpha", "alpha", Positive(), "", "A starts as alpha I")
      .Real(&Options::ridge, "ridge", "gamma", Positive(), "squared RKHS norm",
            "regulariser of the leverage scores; smaller samples more examples")
      .Real(&Options::beta, "beta", "beta", Positive(), "", "sampled examples per unit of leverage")
      .Real(&Options::epsilon, "epsilon", "epsilon", {0, 1}, "", "accuracy of the leverage scores")
      .Real(&Options::bound, "bound", "C", Positive(), "score", "largest absolute prediction")
      .Integer(&Options::budget, "budget", "B", {0, 1e5}, "support vectors",
               "maximum size of the dictionary; 0: no limit");
  return DefineOneVsRest<Method>(
      {.name = "pros-n-kons",
       .title = "PROS-N-KONS: second-order online kernel learning on a sampled dictionary",
       .paper = "Calandriello, Lazaric and Valko 2017",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "online Newton step on the squared error; restarts when leverage sampling adds x",
       .random = true,
       .estimator = {.name = "ProsNKons"}},
      table, CostOf);
}

}  // namespace okbench::pros_n_kons
