#pragma once
// RidgeInverse: the inverse of A = K + diag(c) for the kernel matrix K of a support set that grows and
// shrinks and a ridge c_j of each member, as a Cholesky factor, with the diagonal of the inverse.
//
//   growth by x, d = A^-1 k, g = k(x, x) + c - k'd     diagonal_j += d_j^2 / g, new entry 1 / g
//   removal of member p, w = A^-1 e_p                  diagonal_j -= w_j^2 / w_p, entry p dropped
//
// The factor is stable. Rounding errors of the diagonal accumulate, so it is computed from the factor again
// every 1000 changes. Complexity: O(n^2) per change, O(n^3) per 1000. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/archive.h"
#include "learners/solvers/gram_factor.h"

namespace okbench {

class RidgeInverse {
 public:
  std::size_t size() const { return factor_.size(); }
  /// d = A^-1 k. REQUIRES: `k` has size() entries.
  void Solve(std::span<const double> k, std::vector<double>& d) { factor_.Solve(k, d); }
  /// g of the x whose kernel row was passed to Solve() last; at least 0. `diagonal` is k(x, x) + c.
  double Schur(double diagonal) const { return factor_.SquaredDistance(diagonal); }
  /// Adds the x whose kernel row was passed to Solve() last as the last member. Returns false, without a
  /// change, unless g > tolerance diagonal (1 + ||d||^2) (kGramTolerance). REQUIRES: `d` is the result of
  /// Solve().
  bool Grow(std::span<const double> d, double diagonal, double tolerance = 0);
  void Remove(std::size_t p);
  /// The member j with the least |alpha_j| / (A^-1)_jj, with alpha = A^-1 y: the error of the other members'
  /// prediction of y_j. Of members whose errors differ by less than 10^-9 of the least, the first.
  std::size_t LeastError(std::span<const double> alpha) const;
  /// Entry (i, i) of the inverse.
  double Diagonal(std::size_t i) const { return diagonal_[i]; }
  const GramFactor& factor() const { return factor_; }

  void Serialize(Archive& archive);

 private:
  void CountChange();

  GramFactor factor_;
  std::vector<double> diagonal_;
  std::uint64_t changes_ = 0;
  std::vector<double> scratch_;
};

}  // namespace okbench
