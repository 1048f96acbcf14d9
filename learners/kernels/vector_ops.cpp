#include "learners/kernels/vector_ops.h"

#include "learners/kernels/internal/ops.h"

namespace okbench {

template <class T>
VectorOps<T>::VectorOps() : ops_(internal::Ops<T>()) {}

template <class T>
void VectorOps<T>::WeightedSums(const T* row, std::size_t blocks, const double* columns, std::size_t stride,
                                std::size_t count, double* scratch, double* sums) const {
  ops_.weighted_sums(row, blocks, columns, stride, count, scratch, sums);
}

template <class T>
void VectorOps<T>::AddScaled(const T* row, std::size_t n, double a, double* y) const {
  ops_.add_scaled(row, n, a, y);
}

template <class T>
Extremes VectorOps<T>::StepAndFindExtremes(const T* row, const T* other, double a, double* y,
                                           const Contenders& contenders) const {
  Extremes found;
  ops_.step_extremes(row, other, a, y, contenders, &found);
  return found;
}

template <class T>
Extremes VectorOps<T>::FindExtremes(const double* y, const Contenders& contenders) const {
  Extremes found;
  // Without rows the scores stay as they are.
  ops_.step_extremes(nullptr, nullptr, 0, const_cast<double*>(y), contenders, &found);
  return found;
}

template <class T>
void VectorOps<T>::Exponentials(std::size_t n, double* x) const {
  ops_.exponentials(n, x);
}

template class VectorOps<float>;
template class VectorOps<double>;

}  // namespace okbench
