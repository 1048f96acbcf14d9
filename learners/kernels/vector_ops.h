#pragma once
// VectorOps: sums and updates along rows of kernel values that are there already. They evaluate no kernel and
// so count nothing; their bits do not depend on vector width. Vectorised for the active target; stateless,
// hence thread-safe.

#include <cstddef>

#include "learners/kernels/extremes.h"

namespace okbench {

namespace internal {
template <class T>
struct KernelOps;
}  // namespace internal

template <class T>
class VectorOps {
 public:
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

  /// x[i] <- e^x[i] for n values <= 0, n a multiple of 16; within 1.5 units in the last place, 0 below -708.
  void Exponentials(std::size_t n, double* x) const;

 private:
  const internal::KernelOps<T>& ops_;
};

extern template class VectorOps<float>;
extern template class VectorOps<double>;

}  // namespace okbench
