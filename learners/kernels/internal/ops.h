#pragma once
// Private to learners/kernels: raw, uncounted arithmetic on blocks of support vectors, one table of functions
// per instruction set. Nothing outside this folder may include it (a test checks that).
//
// Layout: kLanes support vectors a block, feature-major: block[feature][lane]. One SIMD lane is one support
// vector, and a dot product is one chain of fused multiply-adds over the features in index order, so
// its bits do not depend on vector width or on how many queries and blocks run together.

#include <cstddef>
#include <cstdint>

#include "learners/core/examples.h"
#include "learners/kernels/extremes.h"
#include "learners/kernels/inverted_index.h"
#include "learners/kernels/kernel.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::internal {

inline constexpr std::size_t kLanes = 16;

/// Blocks of one support set: block b starts at values + b * stride.
template <class T>
struct BlockView {
  const T* values;
  std::size_t stride;    ///< entries from one block to the next
  std::size_t features;  ///< rows of kLanes entries in use
};

/// Blocks of rows of integers: step j of block b, 4 bytes of each lane, starts at
/// codes + b * stride + 64 j. A step is 4 bytes less 128, or 2 numbers of 16 bits.
struct IntegerView {
  const std::uint8_t* codes;
  std::size_t stride;  ///< bytes from one block to the next
  std::size_t steps;
  const std::int32_t* squared_norms;  ///< of the slots, for squared distances; null for dot products
};

/// Queries of integers, 4 bytes a step as in IntegerRows.
struct IntegerQueries {
  const std::uint8_t* const* codes;
  const std::int32_t* sums;           ///< of their numbers
  const std::int32_t* squared_norms;  ///< needed for squared distances
  std::size_t count;
};

/// out[q][16 b + lane], rounded once from the exact integer: the dot product, or the squared distance where
/// the view has norms; or the sum of minima.
template <class T>
using IntegerCombine = void (*)(const IntegerView&, std::size_t blocks, const IntegerQueries&, T* const* out);

template <class T>
struct IntegerOps {
  bool has_bytes;  ///< else numbers are widened to 16 bits, and the first two are null
  IntegerCombine<T> byte_dot, byte_min, word_dot, word_min;
};

/// Kernel parameters in the precision of the arithmetic.
template <class T>
struct FinishParameters {
  KernelKind kind;
  T minus_gamma;
  T scale;
  T offset;
  int degree;
};

template <class T>
struct KernelOps {
  /// How many blocks a batch call of `dot` or `min` likes to get at once.
  std::size_t preferred_blocks;
  /// out[q][16 b + lane] = <query q, vector (b, lane)> for dense queries.
  void (*dot)(const BlockView<T>&, std::size_t blocks, const T* const* queries, std::size_t count,
              T* const* out);
  /// The same with sum_j min(query_j, vector_j).
  void (*min)(const BlockView<T>&, std::size_t blocks, const T* const* queries, std::size_t count,
              T* const* out);
  /// One sparse query.
  void (*dot_sparse)(const BlockView<T>&, std::size_t blocks, const RowView<T>& query, T* out);
  void (*min_sparse)(const BlockView<T>&, std::size_t blocks, const RowView<T>& query, T* out);
  /// out[slot] = q value + out[slot], fused, for each posting of a feature that the query has with value q.
  void (*dot_postings)(const Posting<T>* postings, std::size_t count, T q, T* out);
  /// out[slot] += min(q, value) likewise.
  void (*min_postings)(const Posting<T>* postings, std::size_t count, T q, T* out);
  /// 0/1 features: masks as [block][word][lane], exact integer dot products. min equals dot here.
  void (*dot_bits)(const std::uint32_t* masks, std::size_t words, std::size_t blocks,
                   const std::uint32_t* query, T* out);
  IntegerOps<T> whole;
  /// Turns n dot products (n a multiple of kLanes) into kernel values in place.
  void (*finish)(const FinishParameters<T>&, T query_norm, const T* norms, std::size_t n, T* out);
  /// out[i] = e^(minus_gamma out[i]), n a multiple of kLanes.
  void (*finish_distances)(T minus_gamma, std::size_t n, T* out);
  /// out[i] = (out[i] factor) factors[i], n a multiple of kLanes; factors may be null: 1.
  void (*scale_dots)(T factor, const T* factors, std::size_t n, T* out);
  /// <row, row> by the same chain of fused multiply-adds.
  T (*squared_norm)(const RowView<T>& row);
  /// The same for many dense rows, row-major.
  void (*squared_norms)(const T* values, std::size_t features, std::size_t rows, T* out);
  /// sums[c] = sum_i k[i] columns[c * stride + i] over blocks * kLanes slots: one chain per lane,
  /// then a fixed tree over the lanes. `scratch` holds blocks * kLanes doubles.
  void (*weighted_sums)(const T* k, std::size_t blocks, const double* columns, std::size_t stride,
                        std::size_t count, double* scratch, double* sums);
  /// y[i] += a k[i] by fused multiply-add, n a multiple of kLanes.
  void (*add_scaled)(const T* k, std::size_t n, double a, double* y);
  /// y[i] += a[r] k[r * stride + i] for r = 0, 1, .. count-1 in this order, n a multiple of kLanes.
  void (*add_rows)(const T* k, std::size_t stride, std::size_t count, std::size_t n, const double* a,
                   double* y);
  /// VectorOps::AddListed, Compact, BoxStep, Violations, LargestMargin.
  void (*add_listed)(const T* const* rows, std::size_t first, std::size_t count, std::size_t n,
                     const double* a, double* y);
  std::size_t (*compact)(const T* values, const std::uint64_t* kept, std::size_t n, T* out);
  std::size_t (*box_step)(const BoxProgram& box, const T* row, double move);
  void (*violations)(const MulticlassDual& dual, std::size_t first, std::size_t n, double* violation,
                     double* slack);
  std::size_t (*largest_margin)(const ScoredMembers& members, double* margins);
  /// x[i] = e^x[i] for x[i] <= 0, n a multiple of kLanes.
  void (*exponentials)(std::size_t n, double* x);
  /// y[i] += a (k[i] - l[i]) for all slots, the difference in double precision (nothing when k is null); then
  /// the extremes of the gradients, label - y.
  void (*step_extremes)(const T* k, const T* l, double a, double* y, const Contenders& contenders,
                        Extremes* found);
};

/// The table of the active target. Throws UnsupportedMachine without fused multiply-add.
template <class T>
const KernelOps<T>& Ops();

}  // namespace okbench::internal
