// Kernel values of a function outside the engine (Kernel::Function).

#include <algorithm>
#include <vector>

#include "learners/kernels/engine.h"
#include "learners/kernels/internal/ops.h"

namespace okbench {
namespace {

// Writes a row, dense or sparse, to `out`, which holds zeros.
template <class T>
void CopyRow(const RowView<T>& row, double* out) {
  for (std::size_t j = 0; j < row.count; ++j)
    out[row.indices == nullptr ? j : row.indices[j]] = static_cast<double>(row.values[j]);
}

}  // namespace

// Calls the function once, with all queries and all slots in use. Other slots get 0.
template <class T>
void KernelEngine<T>::FunctionRows(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                   const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                   T* const* out) const {
  const std::size_t features = set.features(), begin = first * internal::kLanes;
  std::vector<double> queries(rows.size() * features, 0.0), vectors, values;
  for (std::size_t r = 0; r < rows.size(); ++r)
    CopyRow(inputs.rows->row(rows[r]), queries.data() + r * features);
  std::vector<std::size_t> used;
  for (std::size_t s = 0; s < blocks * internal::kLanes; ++s)
    if (set.in_use(begin + s)) used.push_back(s);
  vectors.reserve(used.size() * features);
  for (const std::size_t s : used) {
    const T* const block = set.values() + (begin + s) / internal::kLanes * set.stride();
    for (std::size_t f = 0; f < features; ++f)
      vectors.push_back(static_cast<double>(block[f * internal::kLanes + s % internal::kLanes]));
  }
  values.resize(rows.size() * used.size());
  if (!values.empty())
    kernel_.function->Values(queries.data(), rows.size(), vectors.data(), used.size(), features,
                             values.data());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::fill_n(out[r], blocks * internal::kLanes, T(0));
    for (std::size_t u = 0; u < used.size(); ++u)
      out[r][used[u]] = static_cast<T>(values[r * used.size() + u]);
  }
}

template <class T>
T KernelEngine<T>::FunctionSelf(const Inputs<T>& inputs, std::size_t i) const {
  std::vector<double> row(inputs.rows->features());
  CopyRow(inputs.rows->row(i), row.data());
  double value = 0;
  kernel_.function->Values(row.data(), 1, row.data(), 1, row.size(), &value);
  return static_cast<T>(value);
}

template void KernelEngine<float>::FunctionRows(const SupportBlocks<float>&, std::size_t, std::size_t,
                                                const Inputs<float>&, std::span<const std::uint32_t>,
                                                float* const*) const;
template void KernelEngine<double>::FunctionRows(const SupportBlocks<double>&, std::size_t, std::size_t,
                                                 const Inputs<double>&, std::span<const std::uint32_t>,
                                                 double* const*) const;
template float KernelEngine<float>::FunctionSelf(const Inputs<float>&, std::size_t) const;
template double KernelEngine<double>::FunctionSelf(const Inputs<double>&, std::size_t) const;

}  // namespace okbench
