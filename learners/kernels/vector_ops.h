#pragma once
// VectorOps: sums and updates along existing kernel rows, vectorised for the active target. They evaluate no
// kernel, so nothing is counted. Their bits do not depend on the vector width. Stateless, hence thread-safe.

#include <cstddef>
#include <cstdint>

#include "learners/kernels/extremes.h"

namespace okbench {

namespace internal {
template <class T>
struct KernelOps;
}  // namespace internal

/// State of coordinate ascent on  max_a p'a - 1/2 a'Qa, 0 <= a_i <= cap  (learners/solvers/box_qp.h). Lists
/// have n entries, padded with zeros to a multiple of 16.
struct BoxProgram {
  std::size_t n;
  double cap;
  const double* inverse;  ///< 1 / Q_ii
  const double* half;     ///< Q_ii / 2
  const double* a;
  double* gradient;  ///< g = p - Qa
};

/// State of the dual of the multiclass hinge loss (Crammer and Singer 2001): coefficients
/// tau_ir <= cap [r = y_i] and scores F_ir of examples i, [class][example] in columns of `stride` entries.
struct MulticlassDual {
  std::size_t classes, stride;
  double cap;
  const double* scores;
  const double* tau;
  const double* labels;  ///< class y_i; a value that is no class in padding entries
};

/// Members of a support set and their scores, [output][slot] in columns of `stride` entries. `slots` is a
/// multiple of 16.
struct ScoredMembers {
  std::size_t slots, outputs, stride;
  const double* scores;
  const double* tau;
  const double* self;    ///< k_ii
  const double* labels;  ///< y_i: the class, or -1 and 1 for a single output
  const double* vacant;  ///< 0 for slots with a member
};

template <class T>
class VectorOps {
 public:
  /// n rounded up to a multiple of 16.
  static constexpr std::size_t Padded(std::size_t n) { return (n + 15) / 16 * 16; }

  /// Uses the active target (target.h). Throws UnsupportedMachine without fused multiply-add.
  VectorOps();

  /// sums[c] = sum_s row[s] columns[c * stride + s] over blocks * 16 slots, in a fixed order: one chain of
  /// fused multiply-adds per lane, then a fixed tree over the lanes. `scratch` holds blocks * 16 doubles.
  void WeightedSums(const T* row, std::size_t blocks, const double* columns, std::size_t stride,
                    std::size_t count, double* scratch, double* sums) const;

  /// y[s] += a row[s] for n slots, one fused multiply-add each. REQUIRES: n is a multiple of 16.
  void AddScaled(const T* row, std::size_t n, double a, double* y) const;
  /// y[s] += a (row[s] - other[s]) for all slots of the contenders, one fused multiply-add each: a step along
  /// a pair of coefficients. Returns the extremes of the gradients label - y after the step.
  Extremes StepAndFindExtremes(const T* row, const T* other, double a, double* y,
                               const Contenders& contenders) const;
  /// The extremes of the gradients label - y.
  Extremes FindExtremes(const double* y, const Contenders& contenders) const;

  /// y[s] += a[r] rows[r][first + s] for r = 0 .. count - 1 in this order and n slots, one fused multiply-add
  /// each. Gives the bits of `count` calls of AddScaled. REQUIRES: n is a multiple of 16.
  void AddListed(const T* const* rows, std::size_t first, std::size_t count, std::size_t n, const double* a,
                 double* y) const;

  /// Moves the values whose bit is set in `kept` (bit i % 64 of word i / 64) to the front of `out`; returns
  /// their number. `out` has space for n values; those after the kept ones are undefined. It may start at
  /// `values` or before it. REQUIRES: n is a multiple of 16.
  std::size_t Compact(const T* values, const std::uint64_t* kept, std::size_t n, T* out) const;

  /// For examples first .. first + n - 1, with g_ir = F_ir - [r = y_i]:
  ///   violation[i] = max_r g_ir - min_{r: tau_ir < cap [r = y_i]} g_ir,
  ///   slack[i] = max_{r != y_i} (1 + F_ir) - F_{i,y_i}.
  /// Undefined for padding entries. REQUIRES: first and n are multiples of 16.
  void Violations(const MulticlassDual& dual, std::size_t first, std::size_t n, double* violation,
                  double* slack) const;

  /// g <- g - move row, where `row` holds n entries of Q (null leaves g unchanged). Then returns the
  /// coordinate whose step gains most: the lowest i with the largest d_i (g_i - Q_ii / 2 d_i),
  ///   d_i = clip(a_i + g_i / Q_ii, 0, cap) - a_i.
  /// Products and sums are rounded separately. If no step gains, the result may be any index below n + 16.
  /// REQUIRES: n > 0.
  std::size_t BoxStep(const BoxProgram& box, const T* row, double move) const;

  /// margins[i] = (f_y - tau_y k_ii) - max_{r != y} (f_r - tau_r k_ii), or y_i (f - tau k_ii) for a single
  /// output; -infinity for slots without a member. Returns the lowest slot with the largest margin, or 0 if
  /// no margin is above -infinity. Products and sums are rounded separately.
  std::size_t LargestMargin(const ScoredMembers& members, double* margins) const;

  /// x[i] <- e^x[i] for n values <= 0, within 1.5 ulp; 0 for x < -708. REQUIRES: n is a multiple of 16.
  void Exponentials(std::size_t n, double* x) const;

 private:
  const internal::KernelOps<T>& ops_;
};

extern template class VectorOps<float>;
extern template class VectorOps<double>;

}  // namespace okbench
