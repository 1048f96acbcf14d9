#pragma once
// KernelEngine: evaluates kernel functions on support sets and counts every evaluation.
//
// Kernel values have the same bits for dense, sparse and bit-packed rows, for one or many queries, and on
// every target. Rows declared as integers (IntegerRows) have exact dot products and squared distances in
// every packing. Not thread-safe: each trial has its own engine.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"
#include "learners/core/evaluation_counter.h"
#include "learners/core/examples.h"
#include "learners/kernels/blocks.h"
#include "learners/kernels/kernel.h"
#include "learners/kernels/kernel_map.h"

namespace okbench {

namespace internal {
template <class T>
struct KernelOps;
template <class T>
struct FinishParameters;
template <class T>
struct BlockView;
}  // namespace internal

/// Part of every trial id. Raise it with every change of kernels/ or support/ that may change a bit or a
/// count.
inline constexpr int kEngineRevision = 1;

/// Largest absolute error of an RBF value. Values are computed from ||x - x'||^2 = ||x||^2 + ||x'||^2 - 2
/// <x,x'>, whose rounding error is relative to the norms, not to the distance. A value with the error
/// estimate
///
///   value * gamma (||x||^2 + ||x'||^2) * RbfRounding(features)
///
/// above kRbfTolerance is computed from sum_j (x_j - x'_j)^2 instead. The rule looks at the two rows alone,
/// so chunks of a stream give the bits of the complete set.
inline constexpr double kRbfTolerance = 1e-5;

/// Estimate of the rounding error of an expanded squared distance, relative to the sum of the squared norms:
/// 1.5 times the largest error of 10^4 pairs of random rows in [-1, 1]. It grows with the root of the number
/// of features; more than 1024 nonzero features are not expected in a row.
template <class T>
double RbfRounding(std::size_t features) {
  constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
  return 1.5 * unit * (2 + std::sqrt(static_cast<double>(std::min<std::size_t>(features, 1024))));
}

/// Whether RBF values of integer rows with unit norm are computed from differences of the real values.
template <class T>
bool NeedsDifferences(const Kernel& kernel, const IntegerScale& scale) {
  return kernel.kind == KernelKind::kRbf && scale.unit_norm &&
         2 * kernel.gamma * RbfRounding<T>(1) > kRbfTolerance;
}

/// Whether an RBF value between two rows of the set may be computed from differences. For a sum of kernels,
/// an estimate from above.
template <class T>
bool NeedsDifferences(const Kernel& kernel, const RowSource<T>& rows);

/// Like kEngineRevision, for trials with RBF values that may be computed from differences.
inline constexpr int kDistanceRevision = 1;

/// Like kEngineRevision, for trials whose kernel values are computed from integers.
inline constexpr int kIntegersRevision = 1;

template <class T>
class KernelEngine {
 public:
  /// Throws InvalidArgument if a kernel parameter is out of range, UnsupportedMachine without fused
  /// multiply-add.
  explicit KernelEngine(const Kernel& kernel);

  const Kernel& kernel() const { return kernel_; }
  /// Evaluations computed by this engine and requested from it so far.
  const KernelCounts& counts() const { return counter_.counts(); }

  /// Prepares rows for this kernel by computing squared norms. Throws InvalidArgument if the kernel cannot
  /// take them: histogram intersection needs features >= 0, and the features of every term must exist.
  Inputs<T> Prepare(const RowSource<T>& rows) const;
  ExampleInputs<T> Prepare(const Examples<T>& examples) const;
  /// Updates `inputs` after rows were added to its source.
  void Extend(Inputs<T>& inputs) const;
  /// Creates an empty support set for `rows`, in the fastest packing that also accepts rows of `queries` (may
  /// be null) as queries.
  /// `streaming`: the source may later grow by rows of the same storage, dense or sparse, with any values.
  /// `vectors`: the set may later store vectors with any values.
  SupportBlocks<T> MakeBlocks(const RowSource<T>& rows, const RowSource<T>* queries = nullptr,
                              bool streaming = false, bool vectors = false) const;
  /// Serializes the counts.
  void Serialize(Archive& archive);
  /// Serializes a support set of this engine. Reading replaces `set`.
  void Serialize(Archive& archive, SupportBlocks<T>& set);

  /// out[s] = k(row i, slot s) for all set.slots() slots. Counts set.size() values as requested and computed.
  void Row(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t i, Purpose purpose, T* out);

  /// Several rows at once: out[r * stride + s]. Counts set.size() values per row as computed, and as
  /// requested only if `request`. Callers that evaluate ahead or for a cache pass false and report requests
  /// with CountRequested(). REQUIRES: stride >= set.slots().
  void Rows(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
            Purpose purpose, bool request, T* out, std::size_t stride);

  /// Evaluates blocks first .. first + count - 1 of several kernel rows and writes them to their positions in
  /// out[r]. Counts as computed, not as requested. REQUIRES: out.size() == rows.size().
  void Blocks(const SupportBlocks<T>& set, std::size_t first, std::size_t count, const Inputs<T>& inputs,
              std::span<const std::uint32_t> rows, Purpose purpose, std::span<T* const> out);

  /// Counts values as requested without evaluating them, because they were evaluated ahead, are cached, or
  /// are part of running sums. These are the values between each of `rows` and each of `subset`, minus `hits`
  /// values that the method already stores. `rows` and `subset` are example indices without duplicates.
  /// Throws InvalidArgument if hits > rows.size() * subset.size().
  void CountRequested(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> subset,
                      std::uint64_t hits = 0);
  /// Counts the values between each of `rows` and each row of a support set as requested.
  void CountRequested(std::span<const std::uint32_t> rows, const SupportBlocks<T>& set);

  /// out[s] = ||row i - slot s||^2, whatever the kernel, computed from differences. Counts set.size()
  /// values as requested and computed. REQUIRES: `set` was made with `vectors`.
  void SquaredDistances(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t i, Purpose purpose,
                        T* out);

  /// k(x_i, x_i). Counts one value as requested and computed.
  double Self(const Inputs<T>& inputs, std::size_t i, Purpose purpose);

  /// Computes the coordinates of a kernel map from a kernel row of map.stride values. Counts every coordinate
  /// as a feature.
  void Map(const KernelMap& map, const double* row, Purpose purpose, double* coordinates);

  /// sums[c * stride + s] += sum_r coefficients[c * rows.size() + r] k(row r, slot s) for c < columns. Each
  /// slot has one chain of fused multiply-adds, with r in order. Kernel values are not stored: blocks are
  /// processed in groups that stay in cache. Counts like Rows(). REQUIRES: stride >= set.slots().
  void Accumulate(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                  const double* coefficients, std::size_t columns, Purpose purpose, bool request,
                  double* sums, std::size_t stride);

 private:
  // Maximum number of queries processed in one pass over a group of blocks. Their rows and the group stay in
  // cache.
  static constexpr std::size_t kTileRows = 48;

  void AddRequested(std::uint64_t rows, std::uint64_t columns, std::uint64_t hits);
  void Evaluate(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks, const Inputs<T>& inputs,
                std::span<const std::uint32_t> rows, T* const* out);
  void EvaluateUnbiased(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                        const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out);
  void EvaluateTerm(std::size_t term, const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                    const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out);
  void DenseTile(std::size_t term, const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                 const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out);
  void IntegerTile(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                   const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out);
  void FinishIntegers(const IntegerScale& scale, std::int32_t query_norm, const T* factors, const T* norms,
                      std::size_t n, T* out) const;
  T IntegerSelf(const IntegerRows& rows, std::size_t i) const;
  bool AsIntegers(const RowSource<T>& rows) const;
  bool AsDistances(const IntegerScale& scale) const;
  void InvertedRows(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                    const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out);
  internal::FinishParameters<T> ParametersOf(std::size_t term, std::size_t features) const;
  void Finish(std::size_t term, std::size_t features, T query_norm, const T* norms, std::size_t n,
              T* out) const;
  bool FinishSlots(std::size_t term, const SupportBlocks<T>& set, std::size_t begin, std::size_t n,
                   T query_norm, T* out) const;
  void ReplaceInexact(std::size_t term, const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                      const T* query, T query_norm, T* out);
  void ReplaceInexactInverted(const SupportBlocks<T>& set, std::size_t begin, std::size_t n,
                              const RowView<T>& query, T query_norm, T* out) const;
  void InvertedDistances(const SupportBlocks<T>& set, std::size_t begin, std::size_t n,
                         const RowView<T>& query, T* out) const;
  const T* Dense(const RowView<T>& row, std::size_t features);
  void FunctionRows(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                    const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out) const;
  T FunctionSelf(const Inputs<T>& inputs, std::size_t i) const;
  bool is_function() const { return kernel_.kind == KernelKind::kFunction; }
  bool is_sum() const { return kernel_.kind == KernelKind::kSum; }
  internal::BlockView<T> TermBlocks(std::size_t term, const SupportBlocks<T>& set, std::size_t first) const;
  RowView<T> TermOf(std::size_t term, const RowView<T>& row) const;

  Kernel kernel_;
  EvaluationCounter counter_;
  const internal::KernelOps<T>& ops_;
  std::vector<KernelTerm> terms_;    // a plain kernel is one term with count 0: all features
  AlignedVector<T> tile_;            // scratch of Accumulate()
  AlignedVector<T> scratch_;         // for sums of kernels and inverted sets
  AlignedVector<T> distances_;       // scratch of ReplaceInexact()
  std::vector<T> dense_;             // a sparse query of ReplaceInexact()
  std::vector<std::int16_t> words_;  // queries of a pass, widened to 16 bits
};

/// Serializes counts.
void SerializeCounts(Archive& archive, KernelCounts& counts);

extern template class KernelEngine<float>;
extern template class KernelEngine<double>;

}  // namespace okbench
