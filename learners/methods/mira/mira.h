#pragma once
// MIRA, the margin infused relaxed algorithm (Crammer and Singer 2003), on a budget (budget-2003):
// multiclass, with margin beta and prototypes M_r = sum_i tau_ri x_i.
//
//   when M_y . x - max_{r != y} M_r . x <= beta:  add tau x, with tau the solution of
//     min 1/2 A sum_r tau_r^2 + sum_r B_r tau_r   subject to   tau_r <= [r = y],  sum_r tau_r = 0,
//     A = k(x, x),  B_r = M_r . x - beta [r = y]
//
// the least change of M that gives the margin beta, capped. The cache policies are those of learners/budget;
// a full fixed cache first removes, and the new example's scores are those without the removed one; where
// they have the margin beta then, nothing is inserted.

#include <vector>

#include "learners/bases/budget_learner.h"
#include "learners/solvers/capped_simplex.h"

namespace okbench::mira {

class MiraUpdate {
 public:
  MiraUpdate(std::size_t classes, double beta) : beta_(beta), solver_(classes), b_(classes) {}

  /// Throws InvalidArgument for data without classes.
  template <class T>
  static std::size_t Outputs(const Examples<T>& examples) {
    RequireLabels("mira", {LabelKind::kMulticlass}, examples.label_kind());
    return static_cast<std::size_t>(examples.classes());
  }
  /// f_y - max_{r != y} f_r.
  double Margin(std::span<const double> f, std::int32_t y) const;
  /// The arg max, the lowest among equals, is not y.
  bool Mistake(std::span<const double> f, std::int32_t y) const;
  void Coefficients(std::span<const double> f, std::int32_t y, double self, std::span<double> tau);

 private:
  double beta_;
  CappedSimplexSolver solver_;
  std::vector<double> b_;
};

}  // namespace okbench::mira
