// Kernel values of integer rows: exact integer sums, converted to T with one rounding, then finished.

#include <algorithm>
#include <array>

#include "learners/kernels/engine.h"
#include "learners/kernels/internal/ops.h"

namespace okbench {

// Whether kernel values are computed from integers. Exceptions: sums of kernels, whose terms use feature
// ranges; functions; and, for rows with unit norm, histogram intersection, because factors differ, and RBF
// values that may be inexact (kRbfTolerance).
template <class T>
bool KernelEngine<T>::AsIntegers(const RowSource<T>& rows) const {
  if (rows.integers() == nullptr || is_sum() || is_function()) return false;
  const IntegerScale& scale = rows.integers()->scale();
  return !(scale.unit_norm && kernel_.is_intersection()) && !NeedsDifferences<T>(kernel_, scale);
}

// Whether exact squared distances are computed: for RBF kernels if all rows have the same factor.
template <class T>
bool KernelEngine<T>::AsDistances(const IntegerScale& scale) const {
  return kernel_.kind == KernelKind::kRbf && !scale.unit_norm;
}

// Turns exact integers, each rounded once to T, into kernel values.
template <class T>
void KernelEngine<T>::FinishIntegers(const IntegerScale& scale, std::int32_t query_norm, const T* factors,
                                     const T* norms, std::size_t n, T* out) const {
  if (AsDistances(scale)) {
    ops_.finish_distances(static_cast<T>(-kernel_.gamma * (scale.scale * scale.scale)), n, out);
    return;
  }
  const T factor = scale.unit_norm
                       ? UnitFactor<T>(query_norm)
                       : static_cast<T>(kernel_.is_intersection() ? scale.scale : scale.scale * scale.scale);
  if (factor != T(1) || factors != nullptr) ops_.scale_dots(factor, factors, n, out);
  Finish(0, 1, static_cast<T>(query_norm) * factor * factor, norms, n, out);
}

template <class T>
void KernelEngine<T>::IntegerTile(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                  const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                  T* const* out) {
  const IntegerRows& integer_rows = *inputs.rows->integers();
  const IntegerScale& scale = *set.integers();
  const bool bytes = set.packing() == Packing::kBytes, widen = !bytes && scale.bytes();
  std::array<const std::uint8_t*, kTileRows> codes;
  std::array<std::int32_t, kTileRows> sums, norms;
  const std::size_t numbers = 2 * set.steps();
  if (widen) words_.assign(rows.size() * numbers, 0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    codes[r] = integer_rows.codes(rows[r]);
    sums[r] = integer_rows.sum(rows[r]);
    norms[r] = integer_rows.squared_norm(rows[r]);
    if (!widen) continue;
    std::copy_n(codes[r], set.features(), words_.data() + r * numbers);
    codes[r] = reinterpret_cast<const std::uint8_t*>(words_.data() + r * numbers);
  }
  const auto& ops = ops_.integers;
  const auto combine = kernel_.is_intersection() ? (bytes ? ops.byte_min : ops.word_min)
                                                 : (bytes ? ops.byte_dot : ops.word_dot);
  std::array<T*, kTileRows> to;
  const std::size_t group = rows.size() == 1 ? blocks : ops_.preferred_blocks;
  for (std::size_t b = 0; b < blocks; b += group) {
    const std::size_t count = std::min(group, blocks - b), slot = (first + b) * internal::kLanes;
    const internal::IntegerView view{set.codes() + (first + b) * set.stride(), set.stride(), set.steps(),
                                     AsDistances(scale) ? set.integer_norms() + slot : nullptr};
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = out[r] + b * internal::kLanes;
    combine(view, count, {codes.data(), sums.data(), norms.data(), rows.size()}, to.data());
    for (std::size_t r = 0; r < rows.size(); ++r)
      FinishIntegers(scale, norms[r], set.factors() == nullptr ? nullptr : set.factors() + slot,
                     set.squared_norms(0) + slot, count * internal::kLanes, to[r]);
  }
}

// k(x_i, x_i) with the bits of IntegerTile().
template <class T>
T KernelEngine<T>::IntegerSelf(const IntegerRows& rows, std::size_t i) const {
  const IntegerScale& scale = rows.scale();
  const std::int32_t norm = rows.squared_norm(i);
  std::array<T, internal::kLanes> factors, norms, value;
  factors.fill(UnitFactor<T>(norm));
  norms.fill(static_cast<T>(norm) * factors[0] * factors[0]);
  value.fill(AsDistances(scale) ? T(0) : static_cast<T>(kernel_.is_intersection() ? rows.sum(i) : norm));
  FinishIntegers(scale, norm, scale.unit_norm ? factors.data() : nullptr, norms.data(), internal::kLanes,
                 value.data());
  return value[0];
}

template bool KernelEngine<float>::AsIntegers(const RowSource<float>&) const;
template bool KernelEngine<float>::AsDistances(const IntegerScale&) const;
template void KernelEngine<float>::FinishIntegers(const IntegerScale&, std::int32_t, const float*,
                                                  const float*, std::size_t, float*) const;
template void KernelEngine<float>::IntegerTile(const SupportBlocks<float>&, std::size_t, std::size_t,
                                               const Inputs<float>&, std::span<const std::uint32_t>,
                                               float* const*);
template float KernelEngine<float>::IntegerSelf(const IntegerRows&, std::size_t) const;
template bool KernelEngine<double>::AsIntegers(const RowSource<double>&) const;
template bool KernelEngine<double>::AsDistances(const IntegerScale&) const;
template void KernelEngine<double>::FinishIntegers(const IntegerScale&, std::int32_t, const double*,
                                                   const double*, std::size_t, double*) const;
template void KernelEngine<double>::IntegerTile(const SupportBlocks<double>&, std::size_t, std::size_t,
                                                const Inputs<double>&, std::span<const std::uint32_t>,
                                                double* const*);
template double KernelEngine<double>::IntegerSelf(const IntegerRows&, std::size_t) const;

}  // namespace okbench
