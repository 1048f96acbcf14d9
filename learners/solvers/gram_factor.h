#pragma once
// GramFactor: Cholesky factor L of the kernel matrix K = L L' of a support set that grows and shrinks.
//
//   coordinates of a projection onto the span   L l = k,  L'd = l,  so d = K^-1 k,  k_j = k(x_j, x)
//   squared distance from the span              delta^2 = k(x, x) - ||l||^2
//   orthonormal coordinates of the projection   l; those of the members so far stay when a member joins
//   growth by x                                 new row [l', delta] of L
//   removal of member p                         row p dropped; the rows below become the factor of
//                                               L_22 L_22' + c c', where c is their column p
//   projection of p onto the others             -w_j / w_p, j != p, with K w = e_p: no kernel value is needed
//   K + v v'                                    Givens rotations of each row and its entry of v
//
// Every step is backward stable: L L' differs from K by rounding errors, however near x is to the span. An
// inverse K^-1 updated step by step loses this below delta^2 / k(x, x) = 10^-3. Not thread-safe.

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"

namespace okbench {

/// Growth needs delta^2 > kGramTolerance k(x, x) (1 + ||d||^2), with 16 units of rounding of a kernel value
/// of type T. Errors e in the values of x and E in those of the members change delta^2 by 2 e'd + d'E d, so
/// below this limit delta^2 is mostly rounding error.
template <class T>
inline constexpr double kGramTolerance = sizeof(T) == 4 ? 0x1p-20 : 0x1p-49;

class GramFactor {
 public:
  std::size_t size() const { return diagonal_.size(); }
  /// Entry (i, j) of L. REQUIRES: j <= i < size().
  double operator()(std::size_t i, std::size_t j) const { return i == j ? diagonal_[i] : rows_[i][j]; }

  /// d = K^-1 k. Complexity: O(n^2). REQUIRES: `k` has size() entries.
  void Solve(std::span<const double> k, std::vector<double>& d);
  /// l, with L l = k: the first half of Solve(). Valid until the next call. REQUIRES: as Solve().
  std::span<const double> Project(std::span<const double> k);
  /// l of the last Solve() or Project().
  std::span<const double> coordinates() const { return std::span(projected_).first(size()); }
  /// d, with L'd = l: the second half of Solve(). REQUIRES: `l` has size() entries.
  void Combine(std::span<const double> l, std::vector<double>& d);
  /// max(0, delta^2) of the x whose kernel row was passed to Solve() last; `self` is k(x, x).
  double SquaredDistance(double self) const;
  /// Whether delta^2 > tolerance k(x, x) (1 + ||d||^2). REQUIRES: `d` is the result of Solve(); with a
  /// tolerance of 0, `d` may be empty, and Project() suffices.
  bool CanGrow(std::span<const double> d, double self, double tolerance) const;
  /// Adds the x whose kernel row was passed to Solve() last as the last member. Returns false, without a
  /// change, unless CanGrow(). Complexity: O(n).
  bool Grow(std::span<const double> d, double self, double tolerance);
  /// Removes member p. Complexity: O(n^2).
  void Remove(std::size_t p);
  /// The same; also writes the coordinates of its projection onto the other members to `projection`.
  void Remove(std::size_t p, std::vector<double>& projection);
  /// K += v v'. Complexity: O(n^2). REQUIRES: `v` has size() entries.
  void AddOuter(std::span<const double> v) { Rotate(0, {v.begin(), v.end()}); }

  void Serialize(Archive& archive);

  /// Multiply-adds of n steps, for cost models. A `share` of the steps calls Solve(); the number of members
  /// grows with that share, up to `capacity`.
  static double Work(double n, double share, double capacity);

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t Padded(std::size_t n) { return (n + kLanes - 1) / kLanes * kLanes; }
  // Adds c c' to the part of L L' from row and column `first` on. `column`: c.
  void Rotate(std::size_t first, const std::vector<double>& column);

  // Entries j < i of row i, padded with zeros to a multiple of kLanes.
  std::vector<AlignedVector<double>> rows_;
  std::vector<double> diagonal_;
  AlignedVector<double> projected_;  // l of the last Solve(), padded
};

}  // namespace okbench
