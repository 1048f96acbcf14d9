#include "learners/methods/aioli/aioli.h"

namespace okbench::aioli {
namespace {

// Typical share of examples that join the dictionary.
constexpr double kAdded = 0.05;

Cost CostOf(const Options& options, const Workload& work) {
  // Each step: K^-1 k, phi'A^-1 phi, A's update, A^-1 b and alpha.
  return DictionaryCost(work, kAdded, options.budget, 4);
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  AddDictionaryParameters(
      table
          .Real(&Options::lambda, "lambda", "lambda", Positive(), "",
                "regulariser: lambda ||f||^2 + sum of losses")
          .Real(&Options::bound, "bound", "B R", NonNegative(), "score",
                "norm of the comparator times the norm of the inputs; larger is more careful"));
  return DefineOneVsRest<Method>(
      {.name = "aioli",
       .title = "AIOLI: improper online kernel logistic regression",
       .paper = "Jezequel, Gaillard and Rudi 2020",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "second-order step on the logistic loss; z + tanh(z/2) phi'A^-1 phi = phi'A^-1 b predicts",
       .estimator = {.name = "AIOLI"}},
      table, CostOf);
}

}  // namespace okbench::aioli
