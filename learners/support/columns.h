#pragma once
// Columns of coefficients over the slots of a support set, [output][slot], as the expansions of this folder
// keep them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"

namespace okbench {

/// Slots rounded up to whole blocks, and a cache line between columns: columns a multiple of a page apart
/// would share one cache set.
std::size_t PaddedColumn(std::size_t slots);

/// Moves `count` columns from `stride` entries each to `wider` ones; new entries are 0.
void WidenColumns(AlignedVector<double>& columns, std::size_t count, std::size_t stride, std::size_t wider);

/// The stride to grow to when `slots` slots are needed: doubles, so that growing costs O(1) a slot.
std::size_t GrownStride(std::size_t slots);

/// All rows of a set as one support set, row i in slot i, to be asked with rows of `queries`.
template <class T>
SupportBlocks<T> PackAll(const KernelEngine<T>& engine, const Inputs<T>& inputs, const RowSource<T>* queries);

/// visit(i, kernel row) for the i-th of these rows of a data set, evaluated in tiles; set.size() values a
/// row, requested and computed for this purpose.
template <class T, class Visit>
void ForEachRow(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs,
                std::span<const std::uint32_t> rows, Purpose purpose, const Visit& visit) {
  constexpr std::size_t kTile = 256;
  const std::size_t width = set.slots();
  AlignedVector<T> values(std::min(kTile, rows.size()) * width);
  for (std::size_t first = 0; first < rows.size(); first += kTile) {
    const auto part = rows.subspan(first, std::min(kTile, rows.size() - first));
    engine.Rows(set, inputs, part, purpose, true, values.data(), width);
    for (std::size_t t = 0; t < part.size(); ++t) visit(first + t, values.data() + t * width);
  }
}

/// out[row * outputs + r] = scale * sum_s columns[r * stride + s] k(row, slot s) for rows of a data set,
/// the way of ForEachRow.
template <class T>
void EvaluateColumns(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs,
                     std::span<const std::uint32_t> rows, const double* columns, std::size_t stride,
                     std::size_t outputs, double scale, Purpose purpose, std::span<double> out);

}  // namespace okbench
