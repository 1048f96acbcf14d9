#pragma once
// The quadratic program over a simplex: the dual of a maximum over cutting planes.

#include "learners/core/eigen.h"
#include "learners/solvers/box_qp.h"

namespace okbench {

/// Solves  max_b  p'b - 1/2 b'Gb   subject to   b >= 0, sum_i b_i = 1,   G symmetric and positive
/// semidefinite.
///
/// Steps along pairs: mass moves from j to i, where i has the largest gradient g = p - Gb, and j, among those
/// with b_j > 0, the largest gain (g_i - g_j)^2 / (2 (G_ii + G_jj - 2 G_ij)), at most b_j being moved. The
/// duality gap is max_i g_i - b'g. Stops when it is at most `tolerance` (absolute), or nothing moves in
/// double precision.
///
/// `b` is the start and must be feasible. Not thread-safe.
class SimplexQpSolver {
 public:
  QpResult Solve(const Eigen::Ref<const Eigen::MatrixXd>& g, const Eigen::Ref<const Eigen::VectorXd>& p,
                 double tolerance, Eigen::Ref<Eigen::VectorXd> b);

 private:
  Eigen::VectorXd gradient_;
};

}  // namespace okbench
