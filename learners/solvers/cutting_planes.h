#pragma once
// Model of a hinge loss by 1-slack cutting planes (Joachims, Finley and Yu 2009). Used by SFD's approximate
// update, SVMstruct and SampledCuts.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learners/solvers/simplex_qp.h"

namespace okbench {

/// min_u  lambda/2 ||u||^2 + xi   subject to   <u, d_p> >= r_p - xi for every plane p,  xi >= 0.
///
/// The dual over the weights b_p >= 0, sum_p b_p <= 1 is max r'b - 1/(2 lambda) b'Db with D_pq = <d_p, d_q>,
/// and u = 1/lambda sum_p b_p d_p. The constraint xi >= 0 is a permanent plane with d = 0, r = 0. The owner
/// stores the planes; this class uses only their inner products. Not thread-safe.
class CuttingPlanes {
 public:
  explicit CuttingPlanes(double lambda);

  /// Number of planes, without the zero plane.
  std::size_t size() const { return idle_.size() - 1; }
  /// Adds a plane with r = `offset`. products[p] is its inner product with plane p; the last entry is its
  /// squared norm.
  void Add(double offset, const Eigen::Ref<const Eigen::VectorXd>& products);
  /// Solves for the weights, starting from the current ones, to a duality gap of `tolerance` in units of the
  /// loss.
  QpResult Solve(double tolerance);
  /// Weight b_p of plane p.
  double weight(std::size_t p) const { return weights_[static_cast<Eigen::Index>(p) + 1]; }
  /// xi: the largest violation of the planes under the last solution, >= 0.
  double slack() const { return slack_; }
  /// ||u||^2 of the last solution.
  double SquaredNorm() const;
  /// Drops planes without weight in the last `solves` solutions. Returns, for every previous plane, whether
  /// it was kept.
  std::vector<bool> DropIdle(std::size_t solves);

 private:
  double lambda_;
  SimplexQpSolver solver_;
  // Index 0 is the zero plane. gram_ is D/lambda, with spare capacity.
  Eigen::VectorXd offsets_, weights_;
  Eigen::MatrixXd gram_;
  std::vector<std::size_t> idle_;  // [plane]: successive solutions without weight
  double slack_ = 0;
};

}  // namespace okbench
