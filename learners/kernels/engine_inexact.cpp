// Squared distances from differences. RBF values that are inexact through cancellation (kRbfTolerance) are
// recomputed from them.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "learners/kernels/activity.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/internal/ops.h"

namespace okbench {
namespace {

// sum_j (a_j - b_j)^2 of sparse rows, by the chain of fused multiply-adds of KernelOps::distance.
template <class T>
T SquaredDistance(const RowView<T>& a, const RowView<T>& b) {
  T sum = 0;
  for (std::size_t i = 0, j = 0; i < a.count || j < b.count;) {
    const bool from_a = j == b.count || (i < a.count && a.indices[i] <= b.indices[j]);
    const bool from_b = i == a.count || (j < b.count && b.indices[j] <= a.indices[i]);
    const T difference = (from_a ? a.values[i++] : T(0)) - (from_b ? b.values[j++] : T(0));
    sum = std::fma(difference, difference, sum);
  }
  return sum;
}

}  // namespace

template <class T>
bool NeedsDifferences(const Kernel& kernel, const RowSource<T>& rows) {
  const auto in_term = [&](const KernelTerm& term) { return NeedsDifferences(term.kernel, rows); };
  if (std::any_of(kernel.terms.begin(), kernel.terms.end(), in_term)) return true;
  if (rows.integers() != nullptr) return NeedsDifferences<T>(kernel, rows.integers()->scale());
  if (kernel.kind != KernelKind::kRbf || rows.zero_one()) return false;
  const auto largest_of = [](const std::vector<T>& norms) {
    return norms.empty() ? 0.0 : static_cast<double>(*std::max_element(norms.begin(), norms.end()));
  };
  const auto compute = [&] { return internal::SquaredNorms(rows); };
  NormCache<T>* const cache = rows.norm_cache();
  const double largest = cache ? largest_of(cache->Get(compute)) : largest_of(compute());
  return 2 * largest * kernel.gamma * RbfRounding<T>(rows.features()) > kRbfTolerance;
}

// Finish() for slots `begin` to begin + n - 1 of a set. Returns whether an RBF value is inexact
// (kRbfTolerance).
template <class T>
bool KernelEngine<T>::FinishSlots(std::size_t term, const SupportBlocks<T>& set, std::size_t begin,
                                  std::size_t n, T query_norm, T* out) const {
  const internal::FinishParameters<T> parameters = ParametersOf(term, set.features());
  const T* const norms = set.squared_norms(term) + begin;
  ops_.finish(parameters, query_norm, norms, n, out);
  // Values are at most 1, so the largest norms bound every error estimate.
  return parameters.kind == KernelKind::kRbf && query_norm + set.largest_norm(term) > parameters.near &&
         ops_.has_inexact(parameters, query_norm, norms, n, out);
}

// Recomputes the inexact RBF values of a dense query and dense blocks. `query` and `out` start at the
// term's first feature and at block `first`.
template <class T>
void KernelEngine<T>::ReplaceInexact(std::size_t term, const SupportBlocks<T>& set, std::size_t first,
                                     std::size_t blocks, const T* query, T query_norm, T* out) {
  const std::size_t n = blocks * internal::kLanes;
  distances_.resize(n);
  T* const distances = distances_.data();
  ops_.distance(TermBlocks(term, set, first), blocks, &query, 1, &distances);
  ops_.replace_inexact(ParametersOf(term, set.features()), query_norm,
                       set.squared_norms(term) + first * internal::kLanes, distances, n, out);
}

// Recomputes the inexact RBF values of slots begin .. begin + n - 1.
template <class T>
void KernelEngine<T>::ReplaceInexactInverted(const SupportBlocks<T>& set, std::size_t begin, std::size_t n,
                                             const RowView<T>& query, T query_norm, T* out) const {
  const internal::FinishParameters<T> parameters = ParametersOf(0, set.features());
  const T* const norms = set.squared_norms(0) + begin;
  std::array<T, internal::kLanes> distances{};
  for (std::size_t s = 0; s < n; s += internal::kLanes) {
    InvertedDistances(set, begin + s, internal::kLanes, query, distances.data());
    ops_.replace_inexact(parameters, query_norm, norms + s, distances.data(), internal::kLanes, out + s);
  }
}

// Squared distances of slots begin .. begin + n - 1; those of empty slots are not set.
template <class T>
void KernelEngine<T>::InvertedDistances(const SupportBlocks<T>& set, std::size_t begin, std::size_t n,
                                        const RowView<T>& query, T* out) const {
  std::vector<std::uint32_t> indices;
  std::vector<T> values;
  for (std::size_t s = 0; s < n; ++s) {
    if (!set.in_use(begin + s)) continue;
    indices.clear();
    values.clear();
    set.index().Get(begin + s, indices, values);
    out[s] = SquaredDistance<T>(query, {values.data(), indices.data(), values.size()});
  }
}

// The row with its zeros; valid until the next call.
template <class T>
const T* KernelEngine<T>::Dense(const RowView<T>& row, std::size_t features) {
  dense_.assign(features, T(0));
  for (std::size_t j = 0; j < row.count; ++j) dense_[row.indices[j]] = row.values[j];
  return dense_.data();
}

template <class T>
void KernelEngine<T>::SquaredDistances(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t i,
                                       Purpose purpose, T* out) {
  const EvaluationScope scope;
  const RowView<T> row = inputs.rows->row(i);
  if (set.packing() == Packing::kInverted) {
    InvertedDistances(set, 0, set.slots(), row, out);
  } else {
    const T* const query = inputs.rows->sparse() ? Dense(row, set.features()) : row.values;
    ops_.distance(TermBlocks(0, set, 0), set.blocks(), &query, 1, &out);
  }
  counter_.Request(purpose, set.size());
  counter_.Compute(purpose, set.size(), 1);
}

template bool NeedsDifferences(const Kernel&, const RowSource<float>&);
template bool NeedsDifferences(const Kernel&, const RowSource<double>&);
template bool KernelEngine<float>::FinishSlots(std::size_t, const SupportBlocks<float>&, std::size_t,
                                               std::size_t, float, float*) const;
template bool KernelEngine<double>::FinishSlots(std::size_t, const SupportBlocks<double>&, std::size_t,
                                                std::size_t, double, double*) const;
template void KernelEngine<float>::ReplaceInexact(std::size_t, const SupportBlocks<float>&, std::size_t,
                                                  std::size_t, const float*, float, float*);
template void KernelEngine<double>::ReplaceInexact(std::size_t, const SupportBlocks<double>&, std::size_t,
                                                   std::size_t, const double*, double, double*);
template void KernelEngine<float>::InvertedDistances(const SupportBlocks<float>&, std::size_t, std::size_t,
                                                     const RowView<float>&, float*) const;
template const float* KernelEngine<float>::Dense(const RowView<float>&, std::size_t);
template void KernelEngine<float>::SquaredDistances(const SupportBlocks<float>&, const Inputs<float>&,
                                                    std::size_t, Purpose, float*);
template void KernelEngine<double>::InvertedDistances(const SupportBlocks<double>&, std::size_t, std::size_t,
                                                      const RowView<double>&, double*) const;
template const double* KernelEngine<double>::Dense(const RowView<double>&, std::size_t);
template void KernelEngine<double>::SquaredDistances(const SupportBlocks<double>&, const Inputs<double>&,
                                                     std::size_t, Purpose, double*);
template void KernelEngine<float>::ReplaceInexactInverted(const SupportBlocks<float>&, std::size_t,
                                                          std::size_t, const RowView<float>&, float,
                                                          float*) const;
template void KernelEngine<double>::ReplaceInexactInverted(const SupportBlocks<double>&, std::size_t,
                                                           std::size_t, const RowView<double>&, double,
                                                           double*) const;

}  // namespace okbench
