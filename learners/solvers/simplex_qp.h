#pragma once
// Quadratic program over a simplex: the dual of a maximum over cutting planes.

#include "learners/core/eigen.h"
#include "learners/solvers/box_qp.h"

namespace okbench {

/// Solves  max_b  p'b - 1/2 b'Gb   subject to   b >= 0, sum_i b_i = 1.
/// REQUIRES: G is symmetric and positive semidefinite.
///
/// Each step moves mass from j to i, at most b_j. i has the largest gradient g = p - Gb. j has, among entries
/// with b_j > 0, the largest gain (g_i - g_j)^2 / (2 (G_ii + G_jj - 2 G_ij)). The duality gap is max_i g_i -
/// b'g. Stops when the gap is at most `tolerance` (absolute), when nothing moves in double precision, or
/// after kStepsAVariable steps per variable.
///
/// `b` is the starting point and receives the solution. REQUIRES: `b` is feasible. Not thread-safe.
class SimplexQpSolver {
 public:
  QpResult Solve(const Eigen::Ref<const Eigen::MatrixXd>& g, const Eigen::Ref<const Eigen::VectorXd>& p,
                 double tolerance, Eigen::Ref<Eigen::VectorXd> b);

 private:
  Eigen::VectorXd gradient_;
};

}  // namespace okbench
