#include "learners/kernels/engine.h"

#include <algorithm>
#include <array>
#include <string>

#include "learners/core/error.h"
#include "learners/kernels/internal/ops.h"

namespace okbench {
namespace {

static_assert(internal::kLanes == SupportBlocks<float>::kBlock);

// Dense queries handled in one pass over a group of blocks. Their rows and the group stay in cache.
constexpr std::size_t kTileRows = 48;
// Blocks whose values for a tile of queries stay in cache until they are summed.
constexpr std::size_t kAccumulatedBlocks = 32;

// Blocks of rows that are nearly all zero do not fit any cache; a query has few features in common with them.
constexpr std::size_t kWideFeatures = 4096;
constexpr std::size_t kWideShare = 32;  // features a nonzero

template <class T>
bool IsWide(const Examples<T>& examples) {
  if (examples.features() < kWideFeatures) return false;
  std::size_t nonzeros = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) nonzeros += examples.row(i).count;
  return nonzeros * kWideShare < examples.features() * examples.size();
}

}  // namespace

template <class T>
KernelEngine<T>::KernelEngine(const Kernel& kernel) : kernel_(kernel), ops_(internal::Ops<T>()) {
  kernel_.Validate();
}

template <class T>
Inputs<T> KernelEngine<T>::Prepare(const Examples<T>& examples) const {
  if (kernel_.kind == KernelKind::kHistogramIntersection && !examples.non_negative())
    throw InvalidArgument("the histogram intersection kernel needs features >= 0; scale the data first");
  Inputs<T> inputs{.examples = &examples, .squared_norms = {}};
  if (kernel_.kind == KernelKind::kRbf) {
    inputs.squared_norms.resize(examples.size());
    if (!examples.sparse() && examples.size() > 0)
      ops_.squared_norms(examples.row(0).values, examples.features(), examples.size(),
                         inputs.squared_norms.data());
    else
      for (std::size_t i = 0; i < examples.size(); ++i)
        inputs.squared_norms[i] = ops_.squared_norm(examples.row(i));
  }
  return inputs;
}

template <class T>
SupportBlocks<T> KernelEngine<T>::MakeBlocks(const Examples<T>& examples, const Examples<T>* queries) const {
  const auto both = [&](auto holds) { return holds(examples) && (queries == nullptr || holds(*queries)); };
  Packing packing = Packing::kDense;
  if (both([](const Examples<T>& set) { return set.zero_one(); }))
    packing = Packing::kBits;
  else if (both([](const Examples<T>& set) { return set.sparse(); }) && IsWide(examples))
    packing = Packing::kInverted;
  return SupportBlocks<T>(examples.features(), packing);
}

template <class T>
void KernelEngine<T>::Finish(const Inputs<T>& inputs, std::size_t i, const T* norms, std::size_t n,
                             T* out) const {
  const internal::FinishParameters<T> parameters{.kind = kernel_.kind,
                                                 .minus_gamma = static_cast<T>(-kernel_.gamma),
                                                 .scale = static_cast<T>(kernel_.scale),
                                                 .offset = static_cast<T>(kernel_.offset),
                                                 .degree = kernel_.degree};
  ops_.finish(parameters, inputs.squared_norm(i), norms, n, out);
}

template <class T>
void KernelEngine<T>::DenseTile(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                T* const* out) const {
  const bool min = kernel_.kind == KernelKind::kHistogramIntersection;
  const auto combine = min ? ops_.min : ops_.dot;
  std::array<const T*, kTileRows> queries;
  std::array<T*, kTileRows> to;
  for (std::size_t r = 0; r < rows.size(); ++r) queries[r] = inputs.examples->row(rows[r]).values;
  // A single query streams over all blocks at once; a tile takes one group of blocks after the other, so that
  // the group stays in cache for all its queries.
  const std::size_t group = rows.size() == 1 ? blocks : ops_.preferred_blocks;
  for (std::size_t b = 0; b < blocks; b += group) {
    const std::size_t count = std::min(group, blocks - b);
    const internal::BlockView<T> view{set.values() + (first + b) * set.stride(), set.stride(),
                                      set.features()};
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = out[r] + b * internal::kLanes;
    combine(view, count, queries.data(), rows.size(), to.data());
    for (std::size_t r = 0; r < rows.size(); ++r)
      Finish(inputs, rows[r], set.squared_norms() + (first + b) * internal::kLanes, count * internal::kLanes,
             to[r]);
  }
}

template <class T>
void KernelEngine<T>::InvertedRows(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                                   const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                   T* const* out) const {
  if (!inputs.examples->sparse()) throw InvalidArgument("an inverted support set takes sparse queries only");
  const bool min = kernel_.kind == KernelKind::kHistogramIntersection;
  const auto combine = min ? ops_.min_postings : ops_.dot_postings;
  const std::size_t begin = first * internal::kLanes, n = blocks * internal::kLanes;
  AlignedVector<T> sums(set.slots());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::fill(sums.begin(), sums.end(), T(0));
    const RowView<T> row = inputs.examples->row(rows[r]);
    for (std::size_t j = 0; j < row.count; ++j) {
      const auto postings = set.index().postings(row.indices[j]);
      combine(postings.data(), postings.size(), row.values[j], sums.data());
    }
    // A sum of -0 becomes 0, as where rows are packed.
    for (std::size_t s = 0; s < n; ++s) out[r][s] = sums[begin + s] + T(0);
    Finish(inputs, rows[r], set.squared_norms() + begin, n, out[r]);
  }
}

template <class T>
void KernelEngine<T>::Evaluate(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                               const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                               T* const* out) const {
  const Examples<T>& examples = *inputs.examples;
  if (set.features() != examples.features())
    throw InvalidArgument("rows of " + std::to_string(examples.features()) +
                          " features cannot be asked for kernel values with rows of " +
                          std::to_string(set.features()));
  const bool bits = set.packing() == Packing::kBits;
  if (bits && !examples.zero_one()) throw InvalidArgument("a bit-packed support set takes 0/1 queries only");
  if (set.packing() == Packing::kInverted) {
    InvertedRows(set, first, blocks, inputs, rows, out);
    return;
  }
  if (!bits && !examples.sparse()) {
    for (std::size_t r = 0; r < rows.size(); r += kTileRows)
      DenseTile(set, first, blocks, inputs, rows.subspan(r, std::min(kTileRows, rows.size() - r)), out + r);
    return;
  }
  const internal::BlockView<T> view{set.values() + first * set.stride(), set.stride(), set.features()};
  const bool min = kernel_.kind == KernelKind::kHistogramIntersection;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (bits)
      ops_.dot_bits(set.masks() + first * set.bit_words() * internal::kLanes, set.bit_words(), blocks,
                    examples.bits(rows[r]), out[r]);
    else
      (min ? ops_.min_sparse : ops_.dot_sparse)(view, blocks, examples.row(rows[r]), out[r]);
    Finish(inputs, rows[r], set.squared_norms() + first * internal::kLanes, blocks * internal::kLanes,
           out[r]);
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
    const auto part = rows.subspan(r, std::min(kTileRows, rows.size() - r));
    for (std::size_t p = 0; p < part.size(); ++p) to[p] = out + (r + p) * stride;
    Evaluate(set, 0, set.blocks(), inputs, part, to.data());
  }
  const std::uint64_t values = std::uint64_t{set.size()} * rows.size();
  if (request) ledger_.Request(purpose, values);
  ledger_.Compute(purpose, values);
}

template <class T>
void KernelEngine<T>::Blocks(const SupportBlocks<T>& set, std::size_t first, std::size_t count,
                             const Inputs<T>& inputs, std::size_t i, Purpose purpose, T* row) {
  const auto query = static_cast<std::uint32_t>(i);
  T* out = row + first * internal::kLanes;
  Evaluate(set, first, count, inputs, std::span(&query, 1), &out);
  for (std::size_t b = first; b < first + count; ++b) ledger_.Compute(purpose, set.occupied(b));
}

template <class T>
void KernelEngine<T>::Book(std::uint64_t rows, std::uint64_t columns, std::uint64_t held) {
  if (held > rows * columns)
    throw InvalidArgument("of " + std::to_string(rows * columns) + " kernel values " + std::to_string(held) +
                          " cannot be held already");
  ledger_.Request(Purpose::kLearning, rows * columns - held);
}

template <class T>
void KernelEngine<T>::Ask(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> subset,
                          std::uint64_t held) {
  Book(rows.size(), subset.size(), held);
}

template <class T>
void KernelEngine<T>::Ask(std::span<const std::uint32_t> rows, const SupportBlocks<T>& set) {
  Book(rows.size(), set.size(), 0);
}

template <class T>
double KernelEngine<T>::Self(const Inputs<T>& inputs, std::size_t i, Purpose purpose) {
  // The same functions on a block that holds x_i in its first lane would give these very bits: the dot
  // product of a row with itself is its squared norm, and histogram intersection is the sum of its features.
  const RowView<T> row = inputs.examples->row(i);
  std::array<T, internal::kLanes> norm{};
  std::array<T, internal::kLanes> value{};
  if (kernel_.kind == KernelKind::kHistogramIntersection) {
    for (std::size_t j = 0; j < row.count; ++j) value[0] += row.values[j];
  } else {
    value[0] = ops_.squared_norm(row);
  }
  norm[0] = inputs.squared_norm(i);
  Finish(inputs, i, norm.data(), internal::kLanes, value.data());
  ledger_.Request(purpose, 1);
  ledger_.Compute(purpose, 1);
  return value[0];
}

template <class T>
void KernelEngine<T>::Accumulate(const SupportBlocks<T>& set, const Inputs<T>& inputs,
                                 std::span<const std::uint32_t> rows, const double* coefficients,
                                 std::size_t columns, Purpose purpose, bool request, double* sums,
                                 std::size_t stride) {
  // An inverted index gives all its slots at once.
  const std::size_t group = set.packing() == Packing::kInverted ? set.blocks() : kAccumulatedBlocks;
  const std::size_t width = group * internal::kLanes;
  tile_.resize(kTileRows * width);
  std::array<T*, kTileRows> to;
  for (std::size_t r = 0; r < kTileRows; ++r) to[r] = tile_.data() + r * width;
  for (std::size_t first = 0; first < set.blocks(); first += group) {
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
  if (request) ledger_.Request(purpose, values);
  ledger_.Compute(purpose, values);
}

template class KernelEngine<float>;
template class KernelEngine<double>;

}  // namespace okbench
