#pragma once
// VectorOps: sums and updates along rows of kernel values that are there already. They evaluate no kernel and
// so count nothing; their bits do not depend on vector width. Vectorised for the active target; stateless,
// hence thread-safe.

#include <cstddef>
#include <cstdint>

#include "learners/kernels/extremes.h"

namespace okbench {

namespace internal {
template <class T>
struct KernelOps;
}  // namespace internal

/// Coordinate ascent on  max_a p'a - 1/2 a'Qa, 0 <= a_i <= cap  (learners/solvers/box_qp.h). Lists of n
/// entries, filled up with zeros to a multiple of 16.
struct BoxProgram {
  std::size_t n;
  double cap;
  const double* inverse;  ///< 1 / Q_ii
  const double* half;     ///< Q_ii / 2
  const double* a;
  double* gradient;  ///< g = p - Qa
};

/// The dual of the multiclass hinge loss (Crammer and Singer 2001): coefficients tau_ir <= cap [r = y_i] and
/// scores F_ir of examples i, [class][example] in columns of `stride` entries.
struct MulticlassDual {
  std::size_t classes, stride;
  double cap;
  const double* scores;
  const double* tau;
  const double* labels;  ///< y_i; of an example that is none, no class
};

/// Members of a support set with the scores of their own, [output][slot] in columns of `stride` entries;
/// `slots` is a multiple of 16.
struct ScoredMembers {
  std::size_t slots, outputs, stride;
  const double* scores;
  const double* tau;
  const double* self;    ///< k_ii
  const double* labels;  ///< y_i: the class, or -1 and 1 for a single output
  const double* vacant;  ///< 0 where a member is
};

template <class T>
class VectorOps {
 public:
  /// The next multiple of 16.
  static constexpr std::size_t Padded(std::size_t n) { return (n + 15) / 16 * 16; }

  /// For the target in use (target.h). Throws UnsupportedMachine without fused multiply-add.
  VectorOps();

  /// sums[c] = sum_s row[s] columns[c * stride + s] over blocks * 16 slots, in a fixed order: one chain of
  /// fused multiply-adds per lane, then a fixed tree over the lanes. `scratch` holds blocks * 16 doubles.
  void WeightedSums(const T* row, std::size_t blocks, const double* columns, std::size_t stride,
                    std::size_t count, double* scratch, double* sums) const;

  /// y[s] += a row[s] for n slots, n a multiple of 16, one fused multiply-add each.
  void AddScaled(const T* row, std::size_t n, double a, double* y) const;
  /// y[s] += a (row[s] - other[s]) likewise for all slots of the contenders, a step along a pair of
  /// coefficients; then the extremes of the gradients that it leaves, label - y.
  Extremes StepAndFindExtremes(const T* row, const T* other, double a, double* y,
                               const Contenders& contenders) const;
  /// The extremes of the gradients, label - y.
  Extremes FindExtremes(const double* y, const Contenders& contenders) const;

  /// y[s] += a[r] rows[r][first + s] for r = 0, 1, .. count - 1 in this order and n slots, n a multiple of
  /// 16, one fused multiply-add each: what as many calls of AddScaled do.
  void AddListed(const T* const* rows, std::size_t first, std::size_t count, std::size_t n, const double* a,
                 double* y) const;

  /// Moves the values whose bit is set in `kept` (bit i % 64 of word i / 64) together; how many these are. n
  /// a multiple of 16; `out` has room for n values, those beyond the kept ones are undefined, and may begin
  /// at `values` or before it.
  std::size_t Compact(const T* values, const std::uint64_t* kept, std::size_t n, T* out) const;

  /// For examples first .. first + n - 1, both multiples of 16, with g_ir = F_ir - [r = y_i]:
  ///   violation[i] = max_r g_ir - min_{r: tau_ir < cap [r = y_i]} g_ir,
  ///   slack[i] = max_{r != y_i} (1 + F_ir) - F_{i,y_i}.
  /// Of an example that is none, anything.
  void Violations(const MulticlassDual& dual, std::size_t first, std::size_t n, double* violation,
                  double* slack) const;

  /// g <- g - move row, `row` being n entries of Q (null: g stays), then the coordinate that gains most:
  /// the lowest i with the largest d_i (g_i - Q_ii / 2 d_i), d_i = clip(a_i + g_i / Q_ii, 0, cap) - a_i.
  /// Products and sums are rounded apart. n > 0; any i of 0 .. n + 15 when no step gains.
  std::size_t BoxStep(const BoxProgram& box, const T* row, double move) const;

  /// margins[i] = (f_y - tau_y k_ii) - max_{r != y} (f_r - tau_r k_ii), or y_i (f - tau k_ii) for a single
  /// output, -infinity where no member is; returns the lowest slot with the largest one, 0 when there is none
  /// above -infinity. Products and sums are rounded apart.
  std::size_t LargestMargin(const ScoredMembers& members, double* margins) const;

  /// x[i] <- e^x[i] for n values <= 0, n a multiple of 16; within 1.5 units in the last place, 0 below -708.
  void Exponentials(std::size_t n, double* x) const;

 private:
  const internal::KernelOps<T>& ops_;
};

extern template class VectorOps<float>;
extern template class VectorOps<double>;

}  // namespace okbench
