#pragma once
// The model of a hinge loss by 1-slack cutting planes (Joachims, Finley and Yu 2009), what SFD's approximate
// update and SampledCuts share.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learners/solvers/simplex_qp.h"

namespace okbench {

/// min_u  lambda/2 ||u||^2 + xi   subject to   <u, d_p> >= r_p - xi for every plane p,  xi >= 0.
///
/// Its dual over the weights b_p >= 0, sum_p b_p <= 1 is max r'b - 1/(2 lambda) b'Db with D_pq = <d_p, d_q>,
/// and u = 1/lambda sum_p b_p d_p. xi >= 0 is a plane with d = 0, r = 0 that is always held. Planes live in
/// the owner's space; this class sees their inner products only. Not thread-safe.
class CuttingPlanes {
 public:
  explicit CuttingPlanes(double lambda);

  /// Number of planes held, the zero plane not counted.
  std::size_t size() const { return idle_.size() - 1; }
  /// Adds a plane: `products[p]` is its inner product with plane p, the last one with itself.
  void Add(double offset, const Eigen::Ref<const Eigen::VectorXd>& products);
  /// Solves for the weights, from those of before, to a duality gap of `tolerance` (in units of the loss).
  QpResult Solve(double tolerance);
  /// Weight b_p of plane p.
  double weight(std::size_t p) const { return weights_[static_cast<Eigen::Index>(p) + 1]; }
  /// xi: the largest violation of the planes held, >= 0, by the last solution.
  double slack() const { return slack_; }
  /// ||u||^2 of the last solution.
  double SquaredNorm() const;
  /// Drops planes whose weight has been zero in the last `solves` solutions; returns for every plane held
  /// before whether it was kept.
  std::vector<bool> DropIdle(std::size_t solves);

 private:
  double lambda_;
  SimplexQpSolver solver_;
  // The zero plane first. gram_ is D/lambda, with room for more planes.
  Eigen::VectorXd offsets_, weights_;
  Eigen::MatrixXd gram_;
  std::vector<std::size_t> idle_;  // by plane: solutions without weight
  double slack_ = 0;
};

}  // namespace okbench
