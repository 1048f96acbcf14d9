#pragma once
// KernelEngine: the one place where kernels are evaluated, and where every evaluation is counted.
//
// Values have the same bits for dense, sparse and bit-packed rows, for one query or many, on every target.
// Rows that are said to be of integers (IntegerRows) have exact dot products and squared distances,
// whichever way they are packed.
// Not thread-safe: one engine a trial.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/examples.h"
#include "learners/core/evaluation_counter.h"
#include "learners/core/archive.h"
#include "learners/kernels/blocks.h"
#include "learners/kernels/kernel.h"
#include "learners/kernels/kernel_map.h"

namespace okbench {

namespace internal {
template <class T>
struct KernelOps;
template <class T>
struct FinishParameters;
}  // namespace internal

/// Part of every trial's id: raised with any change of kernels/ or support/ that may move a bit or a count.
inline constexpr int kEngineRevision = 1;

/// The same of kernel values that are made of integers.
inline constexpr int kIntegersRevision = 1;

template <class T>
class KernelEngine {
 public:
  /// Throws InvalidArgument for a kernel out of range, UnsupportedMachine without fused multiply-add.
  explicit KernelEngine(const Kernel& kernel);

  const Kernel& kernel() const { return kernel_; }
  /// All that this engine has evaluated, and was asked for.
  const KernelCounts& counts() const { return counter_.counts(); }

  /// Rows ready for this kernel. Throws InvalidArgument when the kernel cannot take them (histogram
  /// intersection needs features >= 0, a term the features that it names).
  Inputs<T> Prepare(const RowSource<T>& rows) const;
  ExampleInputs<T> Prepare(const Examples<T>& examples) const;
  /// Takes in the rows that have been added since.
  void Extend(Inputs<T>& inputs) const;
  /// An empty support set for `rows`, in the packing that is fastest for them and can be asked with rows of
  /// `queries`, too (may be null). `open`: with later rows of the same source, dense or sparse as these are;
  /// `vectors`: with vectors of any values.
  SupportBlocks<T> MakeBlocks(const RowSource<T>& rows, const RowSource<T>* queries = nullptr,
                              bool open = false, bool vectors = false) const;
  /// Keeps the counts, and a support set of this engine; one that is read takes the place of an empty one.
  void Serialize(Archive& archive);
  void Serialize(Archive& archive, SupportBlocks<T>& set);

  /// out[s] = k(row i, slot s) for all set.slots() slots. Requested and computed: set.size() values.
  void Row(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t i, Purpose purpose, T* out);

  /// Several rows at once: out[r * stride + s]. Counts set.size() values a row as computed; as requested
  /// only if `request` (what is evaluated ahead or for a cache is asked for with Ask). stride >= set.slots().
  void Rows(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
            Purpose purpose, bool request, T* out, std::size_t stride);

  /// Evaluates blocks `first` .. `first + count - 1` of a row again (after a change), into their places in
  /// `row`; computed, not requested.
  void Blocks(const SupportBlocks<T>& set, std::size_t first, std::size_t count, const Inputs<T>& inputs,
              std::size_t i, Purpose purpose, T* row);

  /// Books what a method asks for without an evaluation, because the values were evaluated ahead, are cached,
  /// or live on in running sums: one between each of `rows` and each of `subset` (indices of examples, all
  /// different), but for the `held` ones that the method holds already. Throws InvalidArgument when more are
  /// held than asked for.
  void CountRequested(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> subset,
           std::uint64_t held = 0);
  /// The same over all rows of a support set.
  void CountRequested(std::span<const std::uint32_t> rows, const SupportBlocks<T>& set);

  /// k(x_i, x_i): one value, counted like any other.
  double Self(const Inputs<T>& inputs, std::size_t i, Purpose purpose);

  /// The coordinates of a kernel map, from a kernel row that is there: `row` has map.stride values. Each is
  /// counted as a feature.
  void Map(const KernelMap& map, const double* row, Purpose purpose, double* coordinates);

  /// sums[c * stride + s] += sum_r coefficients[c * rows.size() + r] k(row r, slot s), r in order, one chain
  /// of fused multiply-adds a slot; `columns` columns. The kernel values themselves are not kept: blocks are
  /// taken in groups that stay in cache. Counts as Rows does. stride >= set.slots().
  void Accumulate(const SupportBlocks<T>& set, const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                  const double* coefficients, std::size_t columns, Purpose purpose, bool request,
                  double* sums, std::size_t stride);

 private:
  // Dense queries handled in one pass over a group of blocks. Their rows and the group stay in cache.
  static constexpr std::size_t kTileRows = 48;

  void Book(std::uint64_t rows, std::uint64_t columns, std::uint64_t held);
  void Evaluate(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks, const Inputs<T>& inputs,
                std::span<const std::uint32_t> rows, T* const* out);
  void EvaluateTerm(std::size_t term, const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                    const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out) const;
  void DenseTile(std::size_t term, const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                 const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out) const;
  void IntegerTile(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks, const Inputs<T>& inputs,
                 std::span<const std::uint32_t> rows, T* const* out);
  void FinishIntegers(const IntegerScale& scale, std::int32_t query_norm, const T* factors, const T* norms,
                   std::size_t n, T* out) const;
  T IntegerSelf(const IntegerRows& rows, std::size_t i) const;
  bool AsIntegers(const RowSource<T>& rows) const;
  bool AsDistances(const IntegerScale& scale) const;
  void InvertedRows(const SupportBlocks<T>& set, std::size_t first, std::size_t blocks,
                    const Inputs<T>& inputs, std::span<const std::uint32_t> rows, T* const* out);
  void Finish(std::size_t term, T query_norm, const T* norms, std::size_t n, T* out) const;
  bool is_sum() const { return kernel_.kind == KernelKind::kSum; }
  RowView<T> TermOf(std::size_t term, const RowView<T>& row) const;

  Kernel kernel_;
  EvaluationCounter counter_;
  const internal::KernelOps<T>& ops_;
  std::vector<KernelTerm> terms_;    // of a plain kernel: itself, on all features (count 0)
  AlignedVector<T> tile_;            // scratch of Accumulate
  AlignedVector<T> scratch_;         // of sums, and of inverted sets
  std::vector<std::int16_t> words_;  // queries of a tile, widened
};

/// Writes or reads counts.
void SerializeCounts(Archive& archive, KernelCounts& counts);

extern template class KernelEngine<float>;
extern template class KernelEngine<double>;

}  // namespace okbench
