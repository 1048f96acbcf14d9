// Kernel values of rows that are made of whole numbers: exact integers, then one rounding.

#include <algorithm>
#include <array>

#include "learners/kernels/engine.h"
#include "learners/kernels/internal/ops.h"

namespace okbench {

// Whether kernel values of such rows are made of whole numbers. Minima of rows with factors of their own are
// not, nor are the terms of a sum, which have parts of the features.
template <class T>
bool KernelEngine<T>::AsWhole(const RowSource<T>& rows) const {
  return rows.whole() != nullptr && !is_sum() &&
         !(kernel_.is_intersection() && rows.whole()->scale().unit_norm);
}

// Of rows with one scale RBF kernels need squared distances alone.
template <class T>
bool KernelEngine<T>::AsDistances(const WholeScale& scale) const {
  return kernel_.kind == KernelKind::kRbf && !scale.unit_norm;
}

// From exact integers, each rounded once to T, to kernel values.
template <class T>
void KernelEngine<T>::FinishWhole(const WholeScale& scale, std::int32_t query_norm, const T* factors,
                                  const T* norms, std::size_t n, T* out) const {
  if (AsDistances(scale)) {
    ops_.finish_distances(static_cast<T>(-kernel_.gamma * (scale.scale * scale.scale)), n, out);
    return;
  }
  const T factor = scale.unit_norm
                       ? UnitFactor<T>(query_norm)
                       : static_cast<T>(kernel_.is_intersection() ? scale.scale : scale.scale * scale.scale);
  if (factor != T(1) || factors != nullptr) ops_.scale_dots(factor, factors, n, out);
  Finish(0, static_cast<T>(query_norm) * factor * factor, norms, n, out);
}

template <class T>
void KernelEngine<T>::WholeTile(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out) {
  const WholeRows& whole = *inputs.rows->whole();
  const WholeScale& scale = *set.whole();
  const bool bytes = set.packing() == Packing::kBytes, widen = !bytes && scale.bytes();
  std::array<const std::uint8_t*, kTileRows> codes;
  std::array<std::int32_t, kTileRows> sums, norms;
  const std::size_t numbers = 2 * set.steps();
  if (widen) words_.assign(rows.size() * numbers, 0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    codes[r] = whole.codes(rows[r]);
    sums[r] = whole.sum(rows[r]);
    norms[r] = whole.squared_norm(rows[r]);
    if (!widen) continue;
    std::copy_n(codes[r], set.features(), words_.data() + r * numbers);
    codes[r] = reinterpret_cast<const std::uint8_t*>(words_.data() + r * numbers);
  }
  const auto& ops = ops_.whole;
  const auto combine = kernel_.is_intersection() ? (bytes ? ops.byte_min : ops.word_min)
                                                 : (bytes ? ops.byte_dot : ops.word_dot);
  std::array<T*, kTileRows> to;
  const std::size_t group = rows.size() == 1 ? blocks : ops_.preferred_blocks;
  for (std::size_t b = 0; b < blocks; b += group) {
    const std::size_t count = std::min(group, blocks - b), slot = (first + b) * internal::kLanes;
    const internal::WholeView view{set.codes() + (first + b) * set.stride(), set.stride(), set.steps(),
                                   AsDistances(scale) ? set.whole_norms() + slot : nullptr};
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = out[r] + b * internal::kLanes;
    combine(view, count, {codes.data(), sums.data(), norms.data(), rows.size()}, to.data());
    for (std::size_t r = 0; r < rows.size(); ++r)
      FinishWhole(scale, norms[r], set.factors() == nullptr ? nullptr : set.factors() + slot,
                  set.squared_norms(0) + slot, count * internal::kLanes, to[r]);
  }
}

// k(x_i, x_i), as WholeTile would give it.
template <class T>
T KernelEngine<T>::WholeSelf(const WholeRows& rows, std::size_t i) const {
  const WholeScale& scale = rows.scale();
  const std::int32_t norm = rows.squared_norm(i);
  std::array<T, internal::kLanes> factors, norms, value;
  factors.fill(UnitFactor<T>(norm));
  norms.fill(static_cast<T>(norm) * factors[0] * factors[0]);
  value.fill(AsDistances(scale) ? T(0) : static_cast<T>(kernel_.is_intersection() ? rows.sum(i) : norm));
  FinishWhole(scale, norm, scale.unit_norm ? factors.data() : nullptr, norms.data(), internal::kLanes,
              value.data());
  return value[0];
}

template bool KernelEngine<float>::AsWhole(const RowSource<float>&) const;
template bool KernelEngine<float>::AsDistances(const WholeScale&) const;
template void KernelEngine<float>::FinishWhole(const WholeScale&, std::int32_t, const float*, const float*,
                                               std::size_t, float*) const;
template void KernelEngine<float>::WholeTile(const SupportBlocks<float>&, std::size_t, std::size_t,
                                             const Inputs<float>&, std::span<const std::uint32_t>,
                                             float* const*);
template float KernelEngine<float>::WholeSelf(const WholeRows&, std::size_t) const;
template bool KernelEngine<double>::AsWhole(const RowSource<double>&) const;
template bool KernelEngine<double>::AsDistances(const WholeScale&) const;
template void KernelEngine<double>::FinishWhole(const WholeScale&, std::int32_t, const double*, const double*,
                                                std::size_t, double*) const;
template void KernelEngine<double>::WholeTile(const SupportBlocks<double>&, std::size_t, std::size_t,
                                              const Inputs<double>&, std::span<const std::uint32_t>,
                                              double* const*);
template double KernelEngine<double>::WholeSelf(const WholeRows&, std::size_t) const;

}  // namespace okbench
