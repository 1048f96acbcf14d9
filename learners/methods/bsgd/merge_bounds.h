#pragma once
// MergeBounds: lower bounds of merge losses from a table, so that few merges need the golden section search
// (Glasmachers and Qaadan, "Speeding up budgeted stochastic gradient descent SVM training with precomputed
// golden section search", 2018, use such a table for the merges themselves; here they stay exact).
//
// With m = |a_p| / (|a_p| + |a_q|) and kappa = k(x_p, x_q), the merge loses
//
//   (|a_p| + |a_q|)^2 (m^2 + (1-m)^2 + 2 m (1-m) kappa - s^2)
//   s(m, kappa) = max_h m kappa^((1-h)^2) + (1-m) kappa^(h^2)
//
// The table has upper bounds of s at nodes. Between nodes of m, linear interpolation is an upper bound,
// because s is convex in m (a maximum of linear functions). Between nodes a < b of kappa it is one with
// (b-a)^2 / (32 a^2) added, since every function of the maximum has a second derivative of at least
// -1 / (4 kappa^2). For small kappa the value at b is the bound, because s increases.

#include <array>
#include <cstddef>

namespace okbench::bsgd {

class MergeBounds {
 public:
  /// The table, made at the first call in about 5 ms. Thread-safe.
  static const MergeBounds& Table();

  /// A number not above the loss of the merge, divided by (|a_p| + |a_q|)^2. REQUIRES: 0 < m < 1, kappa > 0.
  double Loss(double m, double kappa) const;

 private:
  MergeBounds();
  static constexpr std::size_t kShares = 128, kKappas = 256;  // intervals
  static constexpr std::size_t kSmall = 16;  // nodes of kappa with the bound for small values
  std::array<std::array<double, kShares + 1>, kKappas + 1> scale_;  // upper bounds of s: [kappa][m]
};

}  // namespace okbench::bsgd
