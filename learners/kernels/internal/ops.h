#pragma once
// Private to learners/kernels: uncounted arithmetic on blocks of support vectors, one table of functions per
// instruction set. No file outside learners/kernels may include this header; tests/structure checks it.
//
// Layout: a block has kLanes support vectors and is stored feature-major, block[feature][lane]. One SIMD lane
// is one support vector. A dot product is one chain of fused multiply-adds over the features in index order.
// Its bits therefore depend neither on the vector width nor on how many queries and blocks are processed
// together.
//
// Throughout, n (a number of slots) is a multiple of kLanes.

#include <cstddef>
#include <cstdint>

#include "learners/core/examples.h"
#include "learners/kernels/extremes.h"
#include "learners/kernels/inverted_index.h"
#include "learners/kernels/kernel.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::internal {

inline constexpr std::size_t kLanes = 16;

/// The blocks of a support set: block b starts at values + b * stride.
template <class T>
struct BlockView {
  const T* values;
  std::size_t stride;    ///< entries from one block to the next
  std::size_t features;  ///< features in use, kLanes entries each
};

/// Blocks of integer rows. Step j of block b holds 4 bytes of each lane and starts at
/// codes + b * stride + 64 j. The 4 bytes are four 8-bit integers minus 128, or two 16-bit integers.
struct IntegerView {
  const std::uint8_t* codes;
  std::size_t stride;  ///< bytes from one block to the next
  std::size_t steps;
  const std::int32_t* squared_norms;  ///< by slot, for squared distances; null for dot products
};

/// Integer queries, 4 bytes per step as in IntegerRows.
struct IntegerQueries {
  const std::uint8_t* const* codes;
  const std::int32_t* sums;           ///< sum of the integers, by query
  const std::int32_t* squared_norms;  ///< by query, for squared distances
  std::size_t count;
};

/// out[q][16 b + lane] = the dot product, the squared distance if the view has squared norms, or the sum of
/// minima. Exact in 32-bit integers, then converted to T with one rounding.
template <class T>
using IntegerCombine = void (*)(const IntegerView&, std::size_t blocks, const IntegerQueries&, T* const* out);

template <class T>
struct IntegerOps {
  bool has_bytes;  ///< if false, byte_dot and byte_min are null, and integers are widened to 16 bits
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
  /// RBF values with value (||x||^2 + ||x'||^2) > near or ||x||^2 + ||x'||^2 > far are inexact (engine.h).
  T near, far;
};

template <class T>
struct KernelOps {
  /// Number of blocks per call of `dot` or `min` that is fastest for several queries.
  std::size_t preferred_blocks;
  /// out[q][16 b + lane] = <query q, vector (b, lane)> for dense queries.
  void (*dot)(const BlockView<T>&, std::size_t blocks, const T* const* queries, std::size_t count,
              T* const* out);
  /// out[q][16 b + lane] = sum_j min(query_j, vector_j) for dense queries.
  void (*min)(const BlockView<T>&, std::size_t blocks, const T* const* queries, std::size_t count,
              T* const* out);
  /// out[q][16 b + lane] = sum_j (query_j - vector_j)^2 for dense queries.
  void (*distance)(const BlockView<T>&, std::size_t blocks, const T* const* queries, std::size_t count,
                   T* const* out);
  /// `dot` and `min` for one sparse query.
  void (*dot_sparse)(const BlockView<T>&, std::size_t blocks, const RowView<T>& query, T* out);
  void (*min_sparse)(const BlockView<T>&, std::size_t blocks, const RowView<T>& query, T* out);
  /// out[slot] = q value + out[slot], fused, for each posting of one feature, where q is the query's value.
  void (*dot_postings)(const IndexEntry<T>* postings, std::size_t count, T q, T* out);
  /// out[slot] += min(q, value) for each posting of one feature.
  void (*min_postings)(const IndexEntry<T>* postings, std::size_t count, T q, T* out);
  /// Exact dot products of 0/1 rows; masks are [block][word][lane]. The sum of minima is the same.
  void (*dot_bits)(const std::uint32_t* masks, std::size_t words, std::size_t blocks,
                   const std::uint32_t* query, T* out);
  IntegerOps<T> integers;
  /// Turns n dot products or sums of minima into kernel values in place.
  void (*finish)(const FinishParameters<T>&, T query_norm, const T* norms, std::size_t n, T* out);
  /// Whether one of n RBF values is inexact.
  bool (*has_inexact)(const FinishParameters<T>&, T query_norm, const T* norms, std::size_t n,
                      const T* values);
  /// out[i] = e^(minus_gamma distances[i]) for the inexact values of out.
  void (*replace_inexact)(const FinishParameters<T>&, T query_norm, const T* norms, const T* distances,
                          std::size_t n, T* out);
  /// out[i] = e^(minus_gamma out[i]).
  void (*finish_distances)(T minus_gamma, std::size_t n, T* out);
  /// out[i] = (out[i] factor) factors[i]; null factors are 1.
  void (*scale_dots)(T factor, const T* factors, std::size_t n, T* out);
  /// <row, row> by the same chain of fused multiply-adds as `dot`.
  T (*squared_norm)(const RowView<T>& row);
  /// <row, row> for many dense rows, row-major.
  void (*squared_norms)(const T* values, std::size_t features, std::size_t rows, T* out);
  /// sums[c] = sum_i k[i] columns[c * stride + i] over blocks * kLanes slots: one chain per lane, then a
  /// fixed tree over the lanes. `scratch` holds blocks * kLanes doubles; it is unused for T = double.
  void (*weighted_sums)(const T* k, std::size_t blocks, const double* columns, std::size_t stride,
                        std::size_t count, double* scratch, double* sums);
  /// y[i] += a k[i] by fused multiply-add.
  void (*add_scaled)(const T* k, std::size_t n, double a, double* y);
  /// y[i] += a[r] k[r * stride + i] for r = 0 .. count - 1 in this order.
  void (*add_rows)(const T* k, std::size_t stride, std::size_t count, std::size_t n, const double* a,
                   double* y);
  /// See the functions of these names in VectorOps.
  void (*add_listed)(const T* const* rows, std::size_t first, std::size_t count, std::size_t n,
                     const double* a, double* y);
  std::size_t (*compact)(const T* values, const std::uint64_t* kept, std::size_t n, T* out);
  std::size_t (*box_step)(const BoxProgram& box, const T* row, double move);
  void (*violations)(const MulticlassDual& dual, std::size_t first, std::size_t n, double* violation,
                     double* slack);
  std::size_t (*largest_margin)(const ScoredMembers& members, double* margins);
  /// x[i] = e^x[i] for x[i] <= 0.
  void (*exponentials)(std::size_t n, double* x);
  /// y[i] += a (k[i] - l[i]) for all slots, with the difference in double precision; no update if k is null.
  /// Then finds the extremes of the gradients label - y.
  void (*step_extremes)(const T* k, const T* l, double a, double* y, const Contenders& contenders,
                        Extremes* extremes);
};

/// The function table of the active target. Throws UnsupportedMachine without fused multiply-add.
template <class T>
const KernelOps<T>& Ops();

/// Squared Euclidean norms of rows.
template <class T>
std::vector<T> SquaredNorms(const RowSource<T>& rows) {
  std::vector<T> norms(rows.size());
  if (rows.size() > 0 && rows.contiguous() != nullptr)
    Ops<T>().squared_norms(rows.contiguous(), rows.features(), rows.size(), norms.data());
  else
    for (std::size_t i = 0; i < rows.size(); ++i) norms[i] = Ops<T>().squared_norm(rows.row(i));
  return norms;
}

}  // namespace okbench::internal
