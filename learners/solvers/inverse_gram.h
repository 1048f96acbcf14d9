#pragma once
// InverseGram: the inverse of the kernel matrix K of a support set that grows and shrinks, without a ridge.
//
//   coordinates of a projection onto the span   d = K^-1 k,  k_j = k(x_j, x)
//   its squared distance from the span          delta^2 = k(x, x) - k'd
//   growth by x (bordered inverse)              K^-1 <- [K^-1 0; 0 0] + [d; -1] [d; -1]' / delta^2
//   removal of member p, q = column p of K^-1   K^-1 <- K^-1 - q q' / q_p,  row and column p dropped
//   projection of p onto the others             -q_j / q_p, j != p: no kernel value is needed
//
// The growth divides by delta^2, which is mostly rounding when x is nearly in the span. Such a growth is
// refused: then every pivot of K stays above the rounding, and K positive definite.

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/archive.h"
#include "learners/solvers/packed_symmetric.h"

namespace okbench {

class InverseGram {
 public:
  /// Growth needs delta^2 > kTolerance k(x, x): a distance of a 32nd of the norm. With less the inverse of
  /// crowded members drifts, as each division by a small delta^2 magnifies the error that K^-1 has already.
  static constexpr double kTolerance = 0x1p-10;

  std::size_t size() const { return inverse_.size(); }
  double operator()(std::size_t i, std::size_t j) const { return inverse_(i, j); }

  /// d = K^-1 k; k has size() entries. O(n^2).
  void Solve(std::span<const double> k, std::vector<double>& d) { inverse_.Product(k, d); }
  /// delta^2, not below 0; `self` is k(x, x).
  static double SquaredDistance(std::span<const double> k, std::span<const double> d, double self);
  /// Makes x the last member, with d of Solve and its delta^2; false where it is refused, and nothing
  /// changes. O(n^2).
  bool Grow(std::span<const double> d, double squared_distance, double self);
  /// Drops member p; `projection` are the coordinates of its projection onto the others. O(n^2).
  void Remove(std::size_t p, std::vector<double>& projection);

  void Serialize(Archive& archive) { inverse_.Serialize(archive); }

  /// Multiply-adds of n steps of which a share is a product or a growth, the members growing with that
  /// share up to a capacity: for cost models.
  static double Work(double n, double share, double capacity);

 private:
  PackedSymmetric inverse_;
  std::vector<double> scratch_;
};

}  // namespace okbench
