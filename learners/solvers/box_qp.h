#pragma once
// Quadratic program over a box: the dual of a regularised hinge loss without a bias.

#include <cstddef>

#include "learners/core/aligned.h"
#include "learners/core/eigen.h"
#include "learners/kernels/vector_ops.h"
#include "learners/solvers/qp_result.h"

namespace okbench {

/// Solves  max_a  p'a - 1/2 a'Qa   subject to   0 <= a_i <= cap,   Q symmetric and positive semidefinite.
///
/// Greedy coordinate ascent. With the gradient g = p - Qa, the exact step of coordinate i and its gain are
///   d_i = clip(a_i + g_i / Q_ii, 0, cap) - a_i,   gain_i = g_i d_i - 1/2 Q_ii d_i^2.
/// Each step takes the coordinate with the largest gain; ties go to the lowest index. With the primal
/// objective 1/2 a'Qa + cap sum_i max(0, g_i), the duality gap is sum_i (cap max(0, g_i) - a_i g_i), every
/// term >= 0. Stops when the gap is at most `tolerance` times the primal objective, when no step has a gain
/// in double precision, or after kStepsAVariable steps per variable.
///
/// Q may be float; sums are double. Complexity: O(n) per step. Not thread-safe: uses scratch lists.
template <class T>
class BoxQpSolver {
 public:
  /// Writes the solution to `a`, starting from 0. REQUIRES: `q` is n x n, `p` and `a` have n entries, cap >
  /// 0.
  QpResult Solve(const RowMatrixView<T>& q, const Eigen::Ref<const Eigen::ArrayXd>& p, double cap,
                 double tolerance, Eigen::Ref<Eigen::ArrayXd> a);

  /// g = p - Qa at the solution of the last call.
  Eigen::Map<const Eigen::ArrayXd> gradient() const {
    return {gradient_.data(), static_cast<Eigen::Index>(size_)};
  }

 private:
  QpResult Measure(const Eigen::Ref<const Eigen::ArrayXd>& p, double cap, double tolerance) const;

  VectorOps<T> ops_;
  std::size_t size_ = 0;
  AlignedVector<double> a_, gradient_, inverse_, half_;  // padded with zeros to full blocks
};

extern template class BoxQpSolver<float>;
extern template class BoxQpSolver<double>;

}  // namespace okbench
