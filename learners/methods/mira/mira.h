#pragma once
// MIRA (Crammer and Singer 2003; budget-2003, section 4): the margin infused relaxed algorithm on a budget.
// Multiclass, with margin beta and prototypes M_r = sum_i tau_ri x_i. When M_y . x - max_{r != y} M_r . x is
// at most beta, it makes the least change of M that gives the margin beta, with capped coefficients:
//
//   M_r <- M_r + tau_r x
//   tau = argmin 1/2 A sum_r tau_r^2 + sum_r B_r tau_r   subject to   tau_r <= [r = y],  sum_r tau_r = 0
//   A = k(x, x),  B_r = M_r . x - beta [r = y]
//
// The cache policies are those of learners/bases/cache_policies.h. A full fixed cache first removes a support
// pattern; the new example's scores are then computed without it. If they reach the margin beta, nothing is
// inserted.
//
// Cost per step: |S| kernel evaluations, k(x, x) on a margin error, and one kernel row over the cache per
// removal, unless removal rows are cached.

#include <vector>

#include "learners/bases/budget_learner.h"
#include "learners/solvers/capped_simplex.h"

namespace okbench::mira {

/// The Update policy of BudgetLearner for MIRA. Not thread-safe: it keeps scratch memory.
class MiraUpdate {
 public:
  MiraUpdate(std::size_t classes, double beta) : beta_(beta), solver_(classes), b_(classes) {}

  /// Number of classes. Throws InvalidArgument if the labels are not multiclass.
  template <class T>
  static std::size_t Outputs(const Examples<T>& examples) {
    RequireLabels("mira", {LabelKind::kMulticlass}, examples.label_kind());
    return static_cast<std::size_t>(examples.classes());
  }
  /// f_y - max_{r != y} f_r.
  double Margin(std::span<const double> f, std::int32_t y) const;
  /// Whether the predicted class (lowest arg max) differs from y.
  bool Mistake(std::span<const double> f, std::int32_t y) const;
  /// Solves for tau; `self` is k(x, x) > 0. O(classes log classes).
  void Coefficients(std::span<const double> f, std::int32_t y, double self, std::span<double> tau);

 private:
  double beta_;
  CappedSimplexSolver solver_;
  std::vector<double> b_;
};

}  // namespace okbench::mira
