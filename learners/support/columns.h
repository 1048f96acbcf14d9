#pragma once
// Coefficient columns over the slots of a support set, [output][slot], as stored by the expansions of this
// folder.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"

namespace okbench {

/// Entries per column: `slots` rounded up to whole blocks, plus one cache line. Without it, columns a
/// multiple of a page apart would share one cache set.
std::size_t PaddedColumn(std::size_t slots);

/// Changes the stride of `count` columns from `stride` to `wider` entries. New entries are 0.
void WidenColumns(AlignedVector<double>& columns, std::size_t count, std::size_t stride, std::size_t wider);

/// The stride to use when `slots` slots are needed: at least twice as many, so that growth costs amortised
/// O(1) per slot.
std::size_t GrownStride(std::size_t slots);

/// Packs all rows into one support set, row i in slot i. The packing accepts rows of `queries` (may be null)
/// as queries.
template <class T>
SupportBlocks<T> PackAll(const KernelEngine<T>& engine, const Inputs<T>& inputs, const RowSource<T>* queries);

/// Calls visit(i, kernel row) for the i-th of these rows; rows are evaluated in groups. Counts set.size()
/// values per row as requested and computed for `purpose`.
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

/// out[row * outputs + r] = scale * sum_s columns[r * stride + s] k(row, slot s). Evaluates and counts like
/// ForEachRow().
template <class T>
void EvaluateColumns(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs,
                     std::span<const std::uint32_t> rows, const double* columns, std::size_t stride,
                     std::size_t outputs, double scale, Purpose purpose, std::span<double> out);

}  // namespace okbench
