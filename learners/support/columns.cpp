#include "learners/support/columns.h"

#include <algorithm>
#include <utility>

#include "learners/kernels/vector_ops.h"

namespace okbench {

std::size_t PaddedColumn(std::size_t slots) {
  constexpr std::size_t kBlock = SupportBlocks<float>::kBlock;
  return (slots + kBlock - 1) / kBlock * kBlock + kCacheLine / sizeof(double);
}

void WidenColumns(AlignedVector<double>& columns, std::size_t count, std::size_t stride, std::size_t wider) {
  AlignedVector<double> moved(count * wider, 0.0);
  if (!columns.empty())
    for (std::size_t c = 0; c < count; ++c)
      std::copy_n(columns.begin() + static_cast<std::ptrdiff_t>(c * stride), stride,
                  moved.begin() + static_cast<std::ptrdiff_t>(c * wider));
  columns = std::move(moved);
}

std::size_t GrownStride(std::size_t slots) { return PaddedColumn(std::max<std::size_t>(256, 2 * slots)); }

template <class T>
void EvaluateColumns(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs,
                     std::span<const std::uint32_t> rows, const double* columns, std::size_t stride,
                     std::size_t outputs, double scale, Purpose purpose, std::span<double> out) {
  AlignedVector<double> scratch(set.slots());
  const VectorOps<T> ops;
  ForEachRow(engine, set, inputs, rows, purpose, [&](std::size_t i, const T* row) {
    double* scores = out.data() + i * outputs;
    ops.WeightedSums(row, set.blocks(), columns, stride, outputs, scratch.data(), scores);
    for (std::size_t r = 0; r < outputs; ++r) scores[r] *= scale;
  });
}

template <class T>
SupportBlocks<T> PackAll(const KernelEngine<T>& engine, const Inputs<T>& inputs,
                         const RowSource<T>* queries) {
  SupportBlocks<T> blocks = engine.MakeBlocks(*inputs.rows, queries);
  for (std::size_t i = 0; i < inputs.rows->size(); ++i) blocks.Put(i, inputs, i);
  return blocks;
}

template SupportBlocks<float> PackAll<float>(const KernelEngine<float>&, const Inputs<float>&,
                                             const RowSource<float>*);
template SupportBlocks<double> PackAll<double>(const KernelEngine<double>&, const Inputs<double>&,
                                               const RowSource<double>*);
template void EvaluateColumns<float>(KernelEngine<float>&, const SupportBlocks<float>&, const Inputs<float>&,
                                     std::span<const std::uint32_t>, const double*, std::size_t, std::size_t,
                                     double, Purpose, std::span<double>);
template void EvaluateColumns<double>(KernelEngine<double>&, const SupportBlocks<double>&,
                                      const Inputs<double>&, std::span<const std::uint32_t>, const double*,
                                      std::size_t, std::size_t, double, Purpose, std::span<double>);

}  // namespace okbench
