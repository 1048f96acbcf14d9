#pragma once
// The quadratic program over a box: the dual of a regularised hinge loss without a bias.

#include <cstddef>
#include <span>
#include <vector>

namespace okbench {

/// How a solver ended. The gap is an upper bound of how far the objective is from its optimum.
struct QpResult {
  double objective = 0;  ///< dual objective that was reached
  double gap = 0;        ///< duality gap, in the units of the objective
  std::size_t steps = 0;
  bool converged = false;
};

/// Solves  max_a  p'a - 1/2 a'Qa   subject to   0 <= a_i <= cap,   Q symmetric and positive semidefinite.
///
/// Greedy coordinate ascent: with the gradient g = p - Qa, the exact step of coordinate i is
///   d_i = clip(a_i + g_i / Q_ii, 0, cap) - a_i,   it gains g_i d_i - 1/2 Q_ii d_i^2,
/// and the coordinate that gains most is taken (ties: the lowest index). With the primal objective
/// 1/2 a'Qa + cap sum_i max(0, g_i) the duality gap is sum_i (cap max(0, g_i) - a_i g_i), every term >= 0.
/// Stops when the gap is at most `tolerance` times the primal objective, or nothing gains any more in double
/// precision.
///
/// Q may be float; sums are double. Not thread-safe: it keeps scratch lists.
template <class T>
class BoxQpSolver {
 public:
  /// `q` has rows of `stride` entries, `p` and `a` one entry per variable. Starts from a = 0. cap > 0.
  QpResult Solve(const T* q, std::size_t stride, std::span<const double> p, double cap, double tolerance,
                 std::span<double> a);

  /// g = p - Qa at the solution of the last call.
  std::span<const double> gradient() const { return gradient_; }

 private:
  void Gains(std::span<const double> a, double cap);
  QpResult Measure(std::span<const double> p, double cap, double tolerance, std::span<const double> a) const;

  std::vector<double> gradient_, diagonal_, inverse_, gains_, steps_;
};

extern template class BoxQpSolver<float>;
extern template class BoxQpSolver<double>;

}  // namespace okbench
