#include "learners/methods/krls/krls.h"

namespace okbench::krls {
namespace {

// Typical share of examples that join the dictionary.
constexpr double kAdded = 0.05;

Cost CostOf(const Options& options, const Workload& work) {
  // Each step: K^-1 k, P a, P's update, K^-1 q.
  return DictionaryCost(work, kAdded, options.budget, 4);
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  AddDictionaryParameters(table);
  return DefineOneVsRest<Method>(
      {.name = "krls",
       .title = "KRLS-ALD: kernel recursive least squares",
       .paper = "Engel, Mannor and Meir 2004",
       .weights = true,
       .labels = {LabelKind::kReal},
       .update =
           "x joins the dictionary when k(x, x) - k'K^-1 k > nu, else alpha <- alpha + K^-1 q (y - f(x))",
       .estimator = {.name = "KRLS"},
       .revision = 2},
      table, CostOf);
}

}  // namespace okbench::krls
