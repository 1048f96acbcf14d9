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
  Extremes extremes;
  ops_.step_extremes(row, other, a, y, contenders, &extremes);
  return extremes;
}

template <class T>
Extremes VectorOps<T>::FindExtremes(const double* y, const Contenders& contenders) const {
  Extremes extremes;
  // Without rows, step_extremes does not write to y.
  ops_.step_extremes(nullptr, nullptr, 0, const_cast<double*>(y), contenders, &extremes);
  return extremes;
}

template <class T>
void VectorOps<T>::AddListed(const T* const* rows, std::size_t first, std::size_t count, std::size_t n,
                             const double* a, double* y) const {
  ops_.add_listed(rows, first, count, n, a, y);
}

template <class T>
std::size_t VectorOps<T>::Compact(const T* values, const std::uint64_t* kept, std::size_t n, T* out) const {
  return ops_.compact(values, kept, n, out);
}

template <class T>
void VectorOps<T>::Violations(const MulticlassDual& dual, std::size_t first, std::size_t n, double* violation,
                              double* slack) const {
  ops_.violations(dual, first, n, violation, slack);
}

template <class T>
std::size_t VectorOps<T>::LargestMargin(const ScoredMembers& members, double* margins) const {
  return ops_.largest_margin(members, margins);
}

template <class T>
std::size_t VectorOps<T>::BoxStep(const BoxProgram& box, const T* row, double move) const {
  return ops_.box_step(box, row, move);
}

template <class T>
void VectorOps<T>::Exponentials(std::size_t n, double* x) const {
  ops_.exponentials(n, x);
}

template class VectorOps<float>;
template class VectorOps<double>;

}  // namespace okbench
