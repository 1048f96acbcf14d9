#include "learners/methods/pkawv/pkawv.h"

namespace okbench::pkawv {
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
  AddDictionaryParameters(table.Real(&Options::lambda, "lambda", "lambda", Positive(), "",
                                     "regulariser: lambda ||f||^2 + sum of squared errors"));
  return DefineOneVsRest<Method>(
      {.name = "pkawv",
       .title = "PKAWV: projected kernel Vovk-Azoury-Warmuth forecaster",
       .paper = "Jezequel, Gaillard and Rudi 2019",
       .weights = true,
       .labels = {LabelKind::kReal},
       .update = "A += phi phi', predict phi'A^-1 b, b += y phi, on the span of a dictionary",
       .estimator = {.name = "PKAWV"}},
      table, CostOf);
}

}  // namespace okbench::pkawv
