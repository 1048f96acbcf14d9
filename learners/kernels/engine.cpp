#include "learners/kernels/engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.h"
#include "learners/core/stop.h"
#include "learners/kernels/activity.h"
#include "learners/kernels/internal/ops.h"

namespace okbench {
namespace {

static_assert(internal::kLanes == SupportBlocks<float>::kBlock);

// Blocks per group in Accumulate(): their values for kTileRows queries stay in cache until they are summed.
constexpr std::size_t kAccumulatedBlocks = 32;

}  // namespace

template <class T>
KernelEngine<T>::KernelEngine(const Kernel& kernel) : kernel_(kernel), ops_(internal::Ops<T>()) {
  kernel_.Validate();
  terms_ = is_sum() ? kernel_.terms : std::vector<KernelTerm>{{.weight = 1, .kernel = kernel_}};
}

// The blocks from `first` on, restricted to the features that a term uses.
template <class T>
internal::BlockView<T> KernelEngine<T>::TermBlocks(std::size_t term, const SupportBlocks<T>& set,
                                                   std::size_t first) const {
  const std::size_t from = is_sum() ? terms_[term].first : 0;
  return {set.values() + first * set.stride() + from * internal::kLanes, set.stride(),
          is_sum() ? terms_[term].count : set.features()};
}

// The features of a row that a term uses; all of them for a plain kernel.
template <class T>
RowView<T> KernelEngine<T>::TermOf(std::size_t term, const RowView<T>& row) const {
  return is_sum() ? PartOf(row, terms_[term].first, terms_[term].count) : row;
}

template <class T>
Inputs<T> KernelEngine<T>::Prepare(const RowSource<T>& rows) const {
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const KernelTerm& term = terms_[t];
    if (term.kernel.is_intersection() && !rows.non_negative())
      throw InvalidArgument("the histogram intersection kernel needs features >= 0; scale the data first");
    if (is_sum() && (term.first >= rows.features() || term.count > rows.features() - term.first))
      throw InvalidArgument("term " + std::to_string(t) + " of the kernel is on features " +
                            std::to_string(term.first) + " to " +
                            std::to_string(term.first + term.count - 1) + ", but the data has " +
                            std::to_string(rows.features()) + ", counted from 0");
  }
  Inputs<T> inputs{
      .rows = &rows, .terms = terms_.size(), .squared_norms = {}, .as_integers = AsIntegers(rows)};
  Extend(inputs);
  return inputs;
}

template <class T>
ExampleInputs<T> KernelEngine<T>::Prepare(const Examples<T>& examples) const {
  ExampleInputs<T> inputs;
  static_cast<Inputs<T>&>(inputs) = Prepare(static_cast<const RowSource<T>&>(examples));
  inputs.examples = &examples;
  return inputs;
}

template <class T>
void KernelEngine<T>::Extend(Inputs<T>& inputs) const {
  const RowSource<T>& rows = *inputs.rows;
  const auto is_rbf = [](const KernelTerm& term) { return term.kernel.kind == KernelKind::kRbf; };
  if (std::none_of(terms_.begin(), terms_.end(), is_rbf)) return;
  const std::size_t before = inputs.squared_norms.size() / terms_.size();
  if (NormCache<T>* const cache = rows.norm_cache(); cache != nullptr && !is_sum() && before == 0) {
    inputs.squared_norms = cache->Get([&] { return internal::SquaredNorms(rows); });
    return;
  }
  inputs.squared_norms.resize(rows.size() * terms_.size());
  for (std::size_t i = before; i < rows.size(); ++i)
    for (std::size_t t = 0; t < terms_.size(); ++t)
      inputs.squared_norms[i * terms_.size() + t] = ops_.squared_norm(TermOf(t, rows.row(i)));
}

template <class T>
SupportBlocks<T> KernelEngine<T>::MakeBlocks(const RowSource<T>& rows, const RowSource<T>* queries,
                                             bool streaming, bool vectors) const {
  const auto both = [&](auto holds) { return holds(rows) && (queries == nullptr || holds(*queries)); };
  if (!vectors && both([&](const RowSource<T>& set) { return AsIntegers(set); }) &&
      (queries == nullptr || queries->integers()->scale() == rows.integers()->scale())) {
    const IntegerScale& scale = rows.integers()->scale();
    return SupportBlocks<T>(rows.features(), scale, scale.bytes() && ops_.integers.has_bytes);
  }
  Packing packing = Packing::kDense;
  // A sum of kernels needs dense blocks, because its terms select feature ranges. A function takes dense
  // rows.
  if (is_sum() || is_function())
    packing = Packing::kDense;
  else if (!streaming && !vectors && both([](const RowSource<T>& set) { return set.zero_one(); }))
    packing = Packing::kBits;
  else if (IsWide(rows) && (queries == nullptr || queries->sparse()))
    packing = Packing::kInverted;
  return SupportBlocks<T>(rows.features(), packing, terms_.size());
}

template <class T>
internal::FinishParameters<T> KernelEngine<T>::ParametersOf(std::size_t term, std::size_t features) const {
  const Kernel& kernel = terms_[term].kernel;
  const double rounding = kernel.gamma * RbfRounding<T>(is_sum() ? terms_[term].count : features);
  return {.kind = kernel.kind,
          .minus_gamma = static_cast<T>(-kernel.gamma),
          .scale = static_cast<T>(kernel.scale),
          .offset = static_cast<T>(kernel.offset),
          .degree = kernel.degree,
          .near = static_cast<T>(kRbfTolerance / rounding),
          // If the error of the exponent may exceed 1/2, the value gives no error estimate: recompute always.
          .far = static_cast<T>(0.5 / rounding)};
}

template <class T>
void KernelEngine<T>::Finish(std::size_t term, std::size_t features, T query_norm, const T* norms,
                             std::size_t n, T* out) const {
  ops_.finish(ParametersOf(term, features), query_norm, norms, n, out);
}

template <class T>
void KernelEngine<T>::DenseTile(std::size_t term, const SupportBlocks<T>& set, std::size_t first,
                                std::size_t blocks, const Inputs<T>& inputs,
                                std::span<const std::uint32_t> rows, T* const* out) {
  const auto combine = terms_[term].kernel.is_intersection() ? ops_.min : ops_.dot;
  const std::size_t from = is_sum() ? terms_[term].first : 0;
  std::array<const T*, kTileRows> queries;
  std::array<T*, kTileRows> to;
  for (std::size_t r = 0; r < rows.size(); ++r) queries[r] = inputs.rows->row(rows[r]).values + from;
  // A single query streams over all blocks at once. Several queries process one group of blocks at a time, so
  // that the group stays in cache for all of them.
  const std::size_t group = rows.size() == 1 ? blocks : ops_.preferred_blocks;
  for (std::size_t b = 0; b < blocks; b += group) {
    const std::size_t count = std::min(group, blocks - b);
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = out[r] + b * internal::kLanes;
    combine(TermBlocks(term, set, first + b), count, queries.data(), rows.size(), to.data());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const T norm = inputs.squared_norm(rows[r], term);
      if (FinishSlots(term, set, (first + b) * internal::kLanes, count * internal::kLanes, norm, to[r]))
        ReplaceInexact(term, set, first + b, count, queries[r], norm, to[r]);
    }
  }
}

template <class T>
void KernelEngine<T>::InvertedRows(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                   const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                   T* const* out) {
  if (!inputs.rows->sparse()) throw InvalidArgument("an inverted support set takes sparse queries only");
  const auto combine = kernel_.is_intersection() ? ops_.min_postings : ops_.dot_postings;
  const std::size_t begin = first * internal::kLanes, n = blocks * internal::kLanes;
  // The inverted index always yields all slots.
  const bool whole = n == set.slots();
  if (!whole) scratch_.resize(set.slots());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    T* const sums = whole ? out[r] : scratch_.data();
    std::fill_n(sums, set.slots(), T(0));
    const RowView<T> row = inputs.rows->row(rows[r]);
    for (std::size_t j = 0; j < row.count; ++j) {
      const auto postings = set.index().postings(row.indices[j]);
      combine(postings.data(), postings.size(), row.values[j], sums);
    }
    // Adding 0 turns -0 into +0, as for packed rows.
    for (std::size_t s = 0; s < n; ++s) out[r][s] = sums[begin + s] + T(0);
    const T norm = inputs.squared_norm(rows[r], 0);
    if (FinishSlots(0, set, begin, n, norm, out[r])) ReplaceInexactInverted(set, begin, n, row, norm, out[r]);
  }
}

// Evaluates one term, without its weight.
template <class T>
void KernelEngine<T>::EvaluateTerm(std::size_t term, const SupportBlocks<T>& set, std::size_t first,
                                   std::size_t blocks, const Inputs<T>& inputs,
                                   std::span<const std::uint32_t> rows, T* const* out) {
  const bool bits = set.packing() == Packing::kBits;
  if (!bits && !inputs.rows->sparse()) {
    for (std::size_t r = 0; r < rows.size(); r += kTileRows)
      DenseTile(term, set, first, blocks, inputs, rows.subspan(r, std::min(kTileRows, rows.size() - r)),
                out + r);
    return;
  }
  // Bit-packed sets store no values.
  const T* const values = bits ? nullptr : set.values() + first * set.stride();
  const internal::BlockView<T> view{values, set.stride(), set.features()};
  const auto combine = terms_[term].kernel.is_intersection() ? ops_.min_sparse : ops_.dot_sparse;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (bits)
      ops_.dot_bits(set.masks() + first * set.bit_words() * internal::kLanes, set.bit_words(), blocks,
                    inputs.rows->bits(rows[r]), out[r]);
    else
      combine(view, blocks, TermOf(term, inputs.rows->row(rows[r])), out[r]);
    const T norm = inputs.squared_norm(rows[r], term);
    const bool inexact =
        FinishSlots(term, set, first * internal::kLanes, blocks * internal::kLanes, norm, out[r]);
    if (!inexact || bits) continue;  // distances of 0/1 rows are exact
    const RowView<T> row = inputs.rows->row(rows[r]);
    const T* const dense = Dense(row, set.features()) + (is_sum() ? terms_[term].first : 0);
    ReplaceInexact(term, set, first, blocks, dense, norm, out[r]);
  }
}

template <class T>
void KernelEngine<T>::Evaluate(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                               const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out) {
  EvaluateUnbiased(set, first, blocks, inputs, rows, out);
  if (kernel_.bias == 0) return;
  const auto bias = static_cast<T>(kernel_.bias);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t s = 0; s < blocks * internal::kLanes; ++s) out[r][s] += bias;
}

template <class T>
void KernelEngine<T>::EvaluateUnbiased(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                       const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                       T* const* out) {
  if (set.features() != inputs.rows->features())
    throw InvalidArgument("queries are rows of " + std::to_string(inputs.rows->features()) +
                          " features, but the support set has rows of " + std::to_string(set.features()));
  if (set.packing() == Packing::kBits && !inputs.rows->zero_one())
    throw InvalidArgument("a bit-packed support set takes 0/1 queries only");
  if (set.integers() && !(inputs.as_integers && inputs.rows->integers()->scale() == *set.integers()))
    throw InvalidArgument("a support set of integers takes only queries of the same scale");
  const EvaluationScope scope;
  if (set.integers()) {
    for (std::size_t r = 0; r < rows.size(); r += kTileRows)
      IntegerTile(set, first, blocks, inputs, rows.subspan(r, std::min(kTileRows, rows.size() - r)), out + r);
    return;
  }
  if (set.packing() == Packing::kInverted) {
    InvertedRows(set, first, blocks, inputs, rows, out);
    return;
  }
  if (is_function()) {
    FunctionRows(set, first, blocks, inputs, rows, out);
    return;
  }
  if (!is_sum()) {
    EvaluateTerm(0, set, first, blocks, inputs, rows, out);
    return;
  }
  const std::size_t n = blocks * internal::kLanes;
  scratch_.resize(rows.size() * n);
  std::array<T*, kTileRows> values;
  for (std::size_t r = 0; r < rows.size(); ++r) values[r] = scratch_.data() + r * n;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    EvaluateTerm(t, set, first, blocks, inputs, rows, values.data());
    const auto weight = static_cast<T>(terms_[t].weight);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t s = 0; s < n; ++s) out[r][s] = (t == 0 ? T(0) : out[r][s]) + weight * values[r][s];
  }
}

template <class T>
void KernelEngine<T>::Row(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t i,
                          Purpose purpose, T* out) {
  const auto row = static_cast<std::uint32_t>(i);
  Rows(set, inputs, std::span(&row, 1), purpose, true, out, set.slots());
}

template <class T>
void KernelEngine<T>::Rows(const SupportBlocks<T>& set, const Inputs<T>& inputs,
                           std::span<const std::uint32_t> rows, Purpose purpose, bool request, T* out,
                           std::size_t stride) {
  std::array<T*, kTileRows> to;
  for (std::size_t r = 0; r < rows.size(); r += kTileRows) {
    CheckStop();
    const auto part = rows.subspan(r, std::min(kTileRows, rows.size() - r));
    for (std::size_t p = 0; p < part.size(); ++p) to[p] = out + (r + p) * stride;
    Evaluate(set, 0, set.blocks(), inputs, part, to.data());
  }
  const std::uint64_t values = std::uint64_t{set.size()} * rows.size();
  if (request) counter_.Request(purpose, values);
  counter_.Compute(purpose, values, terms_.size());
}

template <class T>
void KernelEngine<T>::Blocks(const SupportBlocks<T>& set, std::size_t first, std::size_t count,
                             const Inputs<T>& inputs, std::span<const std::uint32_t> rows, Purpose purpose,
                             std::span<T* const> out) {
  std::array<T*, kTileRows> to;
  for (std::size_t r = 0; r < rows.size(); r += kTileRows) {
    const auto part = rows.subspan(r, std::min(kTileRows, rows.size() - r));
    for (std::size_t p = 0; p < part.size(); ++p) to[p] = out[r + p] + first * internal::kLanes;
    Evaluate(set, first, count, inputs, part, to.data());
  }
  for (std::size_t b = first; b < first + count; ++b)
    counter_.Compute(purpose, std::uint64_t{set.occupied(b)} * rows.size(), terms_.size());
}

template <class T>
void KernelEngine<T>::AddRequested(std::uint64_t rows, std::uint64_t columns, std::uint64_t hits) {
  if (hits > rows * columns)
    throw InvalidArgument("only " + std::to_string(rows * columns) + " kernel values are requested, but " +
                          std::to_string(hits) + " are held");
  counter_.Request(Purpose::kLearning, rows * columns - hits);
}

template <class T>
void KernelEngine<T>::CountRequested(std::span<const std::uint32_t> rows,
                                     std::span<const std::uint32_t> subset, std::uint64_t hits) {
  AddRequested(rows.size(), subset.size(), hits);
}

template <class T>
void KernelEngine<T>::CountRequested(std::span<const std::uint32_t> rows, const SupportBlocks<T>& set) {
  AddRequested(rows.size(), set.size(), 0);
}

template <class T>
double KernelEngine<T>::Self(const Inputs<T>& inputs, std::size_t i, Purpose purpose) {
  const EvaluationScope scope;
  // Gives the same bits as evaluating a block with x_i in its first lane: the dot product of a row with
  // itself is its squared norm, and histogram intersection is the sum of its features.
  if (is_function()) {
    const T value = FunctionSelf(inputs, i) + static_cast<T>(kernel_.bias);
    counter_.Request(purpose, 1);
    counter_.Compute(purpose, 1, 1);
    return value;
  }
  T sum = inputs.as_integers ? IntegerSelf(*inputs.rows->integers(), i) : T(0);
  for (std::size_t t = 0; t < terms_.size() && !inputs.as_integers; ++t) {
    const RowView<T> row = TermOf(t, inputs.rows->row(i));
    std::array<T, internal::kLanes> norm{};
    std::array<T, internal::kLanes> value{};
    if (terms_[t].kernel.is_intersection()) {
      for (std::size_t j = 0; j < row.count; ++j) value[0] += row.values[j];
    } else {
      value[0] = ops_.squared_norm(row);
    }
    norm[0] = inputs.squared_norm(i, t);
    Finish(t, inputs.rows->features(), norm[0], norm.data(), internal::kLanes, value.data());
    sum = is_sum() ? sum + static_cast<T>(terms_[t].weight) * value[0] : value[0];
  }
  counter_.Request(purpose, 1);
  counter_.Compute(purpose, 1, terms_.size());
  if (kernel_.bias != 0) sum += static_cast<T>(kernel_.bias);
  return sum;
}

template <class T>
void KernelEngine<T>::Map(const KernelMap& map, const double* row, Purpose purpose, double* coordinates) {
  internal::Ops<double>().weighted_sums(row, map.stride / internal::kLanes, map.columns.data(), map.stride,
                                        map.coordinates, nullptr, coordinates);
  counter_.Map(purpose, map.coordinates);
}

template <class T>
void KernelEngine<T>::Accumulate(const SupportBlocks<T>& set, const Inputs<T>& inputs,
                                 std::span<const std::uint32_t> rows, const double* coefficients,
                                 std::size_t columns, Purpose purpose, bool request, double* sums,
                                 std::size_t stride) {
  // The inverted index always yields all slots.
  const std::size_t group = set.packing() == Packing::kInverted ? set.blocks() : kAccumulatedBlocks;
  const std::size_t width = group * internal::kLanes;
  tile_.resize(kTileRows * width);
  std::array<T*, kTileRows> to;
  for (std::size_t r = 0; r < kTileRows; ++r) to[r] = tile_.data() + r * width;
  for (std::size_t first = 0; first < set.blocks(); first += group) {
    CheckStop();
    const std::size_t blocks = std::min(group, set.blocks() - first);
    for (std::size_t r = 0; r < rows.size(); r += kTileRows) {
      const auto part = rows.subspan(r, std::min(kTileRows, rows.size() - r));
      Evaluate(set, first, blocks, inputs, part, to.data());
      for (std::size_t c = 0; c < columns; ++c)
        ops_.add_rows(tile_.data(), width, part.size(), blocks * internal::kLanes,
                      coefficients + c * rows.size() + r, sums + c * stride + first * internal::kLanes);
    }
  }
  const std::uint64_t values = std::uint64_t{set.size()} * rows.size();
  if (request) counter_.Request(purpose, values);
  counter_.Compute(purpose, values, terms_.size());
}

template class KernelEngine<float>;
template class KernelEngine<double>;

}  // namespace okbench
