#pragma once
// Merging of two terms of a Gaussian expansion into one (Wang, Crammer and Vucetic, JMLR 13, 2012, section on
// merging; Nguyen and Ho 2005). The merged vector z = h x_p + (1 - h) x_q lies between the two. With
// kappa = k(x_p, x_q),
//
//   k(x_p, z) = kappa^((1-h)^2),  k(x_q, z) = kappa^(h^2).
//
// For a given h the best coefficient of k(z, .) is that of the projection onto it:
//
//   a_z = a_p kappa^((1-h)^2) + a_q kappa^(h^2)
//   || a_p k(x_p, .) + a_q k(x_q, .) - a_z k(z, .) ||^2 = a_p^2 + a_q^2 + 2 a_p a_q kappa - a_z^2

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::bsgd {

/// Result of merging one pair.
struct Merge {
  double h = 0;      ///< weight of x_p in z, 0 .. 1
  double alpha = 0;  ///< a_z
  double loss = 0;   ///< squared norm of the change of f
};

/// Merges one term with each of several others. Finds the h with the largest |a_z| by golden section search
/// over [0, 1] in kGoldenSteps steps, for all pairs in parallel. If two points are equal up to rounding
/// (kTie), the search continues in the lower part. It finds a local maximum; for small kappa there are two.
/// Not thread-safe.
class Merger {
 public:
  /// Merges the term with coefficient `p` with each term of `q`; kappa[i] is the kernel value of pair i.
  /// REQUIRES: p and all q are nonzero and of one sign; 0 <= kappa <= 1; kappa.size() == q.size().
  /// The result is valid until the next call.
  std::span<const Merge> Pairs(double p, std::span<const double> q, std::span<const double> kappa);

  /// The pair with the least loss, the first among ties, and its merge: Best(Pairs(p, q, kappa)). Searches
  /// few of many pairs (merge_bounds.h). REQUIRES: as Pairs(), q not empty.
  std::pair<std::size_t, Merge> Least(double p, std::span<const double> q, std::span<const double> kappa);
  /// The merge with the least loss; the first among ties.
  static std::size_t Best(std::span<const Merge> merges);

 private:
  void Resize(std::size_t pairs);
  // out[i] = |a_z| / (|a_p| + |a_q|) = m kappa^((1-h)^2) + (1-m) kappa^(h^2) at h = h[i].
  void Values(const AlignedVector<double>& h, AlignedVector<double>& out);

  VectorOps<double> ops_;
  AlignedVector<double> share_, log_, low_, high_, left_, right_, at_left_, at_right_, point_, at_point_,
      other_;
  std::vector<Merge> merges_;
  std::vector<double> bounds_, kept_q_, kept_kappa_;
  std::vector<std::size_t> kept_;
};

/// Steps of the golden section search; they shorten the interval to 7e-5.
inline constexpr int kGoldenSteps = 20;
/// Smallest significant difference: of |a_z| relative to |a_p| + |a_q|, of losses relative to 1 + loss.
inline constexpr double kTie = 1e-12;

}  // namespace okbench::bsgd
