#pragma once
// Merging two terms of a Gaussian expansion into one (Wang, Crammer and Vucetic, JMLR 13, 2012, section on
// merging; the pair as Nguyen and Ho, 2005, merge it): z = h x_p + (1 - h) x_q lies between them, so that,
// of kappa = k(x_p, x_q),
//
//   k(x_p, z) = kappa^((1-h)^2),  k(x_q, z) = kappa^(h^2)
//
// and the best coefficient of k(z, .) for a given h, that of the projection onto it, is
//
//   a_z = a_p kappa^((1-h)^2) + a_q kappa^(h^2)
//   || a_p k(x_p, .) + a_q k(x_q, .) - a_z k(z, .) ||^2 = a_p^2 + a_q^2 + 2 a_p a_q kappa - a_z^2

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::bsgd {

struct Merge {
  double h = 0;      ///< the share of x_p in z
  double alpha = 0;  ///< a_z
  double loss = 0;   ///< what it changes f by, a squared norm
};

/// Merges one term with each of many. The h with the largest |a_z|, by golden section over [0, 1] in
/// kGoldenSteps steps, those of all pairs side by side; where two points are equal up to rounding the lower
/// part goes on. It finds a local maximum: there are two for small kappa.
class Merger {
 public:
  /// `p` and each `q` are coefficients of one sign and not 0, 0 <= kappa <= 1; kappa has as many as q. Valid
  /// until the next call.
  std::span<const Merge> Pairs(double p, std::span<const double> q, std::span<const double> kappa);

 private:
  void Resize(std::size_t pairs);
  // out[i] = m kappa^((1-h)^2) + (1-m) kappa^(h^2) at h[i].
  void Values(const AlignedVector<double>& h, AlignedVector<double>& out);

  VectorOps<double> ops_;
  AlignedVector<double> share_, log_, low_, high_, left_, right_, at_left_, at_right_, point_, at_point_,
      other_;
  std::vector<Merge> merges_;
};

/// The interval is this often shortened by the golden ratio, to 7e-5.
inline constexpr int kGoldenSteps = 20;
/// Differences up to here pass for rounding, in units of |a_p| + |a_q|.
inline constexpr double kTie = 1e-12;

}  // namespace okbench::bsgd
