#pragma once
// InverseGram: inverse of the kernel matrix K of a support set that grows and shrinks, without a ridge.
//
//   coordinates of a projection onto the span   d = K^-1 k,  k_j = k(x_j, x)
//   squared distance from the span              delta^2 = k(x, x) - k'd
//   growth by x (bordered inverse)              K^-1 <- [K^-1 0; 0 0] + [d; -1] [d; -1]' / delta^2
//   removal of member p, q = column p of K^-1   K^-1 <- K^-1 - q q' / q_p,  row and column p dropped
//   projection of p onto the others             -q_j / q_p, j != p: no kernel value is needed
//
// Growth divides by delta^2, which is mostly rounding error when x is nearly in the span. Grow() rejects such
// an x: every pivot of K stays above the rounding error, and K stays positive definite. Not thread-safe.

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/archive.h"
#include "learners/solvers/packed_symmetric.h"

namespace okbench {

class InverseGram {
 public:
  /// Growth needs delta^2 > kTolerance k(x, x), i.e. a distance of 1/32 of the norm. Below that the inverse
  /// drifts: each division by a small delta^2 magnifies the error in K^-1.
  static constexpr double kTolerance = 0x1p-10;

  std::size_t size() const { return inverse_.size(); }
  double operator()(std::size_t i, std::size_t j) const { return inverse_(i, j); }

  /// d = K^-1 k. Complexity: O(n^2). REQUIRES: `k` has size() entries.
  void Solve(std::span<const double> k, std::vector<double>& d) { inverse_.Product(k, d); }
  /// max(0, delta^2); `self` is k(x, x).
  static double SquaredDistance(std::span<const double> k, std::span<const double> d, double self);
  /// Adds x as the last member, with d from Solve() and delta^2 from SquaredDistance(). Returns false,
  /// without a change, if delta^2 is too small. Complexity: O(n^2).
  bool Grow(std::span<const double> d, double squared_distance, double self);
  /// Removes member p. Writes the coordinates of its projection onto the other members to `projection`.
  /// Complexity: O(n^2).
  void Remove(std::size_t p, std::vector<double>& projection);

  void Serialize(Archive& archive) { inverse_.Serialize(archive); }

  /// Multiply-adds of n steps, for cost models. A `share` of the steps is a product or a growth; the number
  /// of members grows with that share, up to `capacity`.
  static double Work(double n, double share, double capacity);

 private:
  PackedSymmetric inverse_;
  std::vector<double> scratch_;
};

}  // namespace okbench
