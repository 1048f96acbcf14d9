#pragma once
// Quadratic program of one example in multiclass large-margin methods (Crammer and Singer 2001, 2003).

#include <cstddef>
#include <span>
#include <vector>

namespace okbench {

/// Solves  min_tau 1/2 A sum_r tau_r^2 + sum_r B_r tau_r   subject to   tau_r <= C [r = y],  sum_r tau_r = 0.
///
/// With D_r = B_r / A + C [r = y], the solution is tau_r = min(theta, D_r) - B_r / A, where theta makes the
/// tau sum to zero. For D sorted in descending order, theta = (D_1 + .. + D_m - C) / m with the first m for
/// which theta >= D_{m+1}. Exact up to rounding. Complexity: O(classes log classes). Used by MIRA (C = 1) and
/// the batch multiclass SVM. Not thread-safe: uses a scratch list.
class CappedSimplexSolver {
 public:
  explicit CappedSimplexSolver(std::size_t classes) : sorted_(classes) {}
  /// Writes the solution to `tau`; `b` and `tau` may be the same list. REQUIRES: a > 0, cap > 0, y < classes,
  /// and one entry per class in `b` and `tau`.
  void Solve(double a, std::span<const double> b, std::size_t y, double cap, std::span<double> tau);

 private:
  std::vector<double> sorted_;
};

}  // namespace okbench
