#pragma once
// Aggressive perceptron on a budget (Crammer, Kandola and Singer; budget-2003, figures 1 to 3): binary, with
// tolerance beta.
//
//   f <- f + y_t k(x_t, .)  when y_t f(x_t) <= beta
//
// The cache policies are those of learners/bases/cache_policies.h. With beta = 0 and no budget it is the
// kernel perceptron. Theorem 1: let some u with ||u|| = 1 separate the data with margin gamma, that is
// y_t u . x_t >= gamma, and let ||x_t|| <= R. Then an adaptive cache holds at most (R^2 + 2 beta) / gamma^2
// support patterns.
//
// Cost per step: |S| kernel evaluations, k(x, x) on a margin error, and one kernel row over the cache per
// removal, unless removal rows are cached.

#include "learners/bases/budget_learner.h"

namespace okbench::perceptron {

/// The Update policy of BudgetLearner for the perceptron: the coefficient of a new example is its label.
struct PerceptronUpdate {
  template <class T>
  static std::size_t Outputs(const Examples<T>& examples) {
    RequireLabels("perceptron", {LabelKind::kBinary}, examples.label_kind());
    return 1;
  }
  double Margin(std::span<const double> f, std::int32_t y) const { return y * f[0]; }
  bool Mistake(std::span<const double> f, std::int32_t y) const { return y * f[0] <= 0; }
  void Coefficients(std::span<const double> /*f*/, std::int32_t y, double /*self*/,
                    std::span<double> tau) const {
    tau[0] = y;
  }
};

}  // namespace okbench::perceptron
