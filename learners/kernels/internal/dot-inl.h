// Dot products and sums of minima: dense, sparse and 0/1 queries against blocks of support vectors.
//
// Highway conventions: see ops.cpp.
#if defined(OKBENCH_DOT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_DOT_INL_H
#undef OKBENCH_DOT_INL_H
#else
#define OKBENCH_DOT_INL_H
#endif

#include "learners/kernels/internal/shape-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

struct FmaCombine {
  template <class V>
  HWY_INLINE V operator()(V query, V vector, V sum) const {
    return hn::MulAdd(query, vector, sum);
  }
};

struct MinCombine {
  template <class V>
  HWY_INLINE V operator()(V query, V vector, V sum) const {
    return hn::Add(hn::Min(query, vector), sum);
  }
};

struct DistanceCombine {
  template <class V>
  HWY_INLINE V operator()(V query, V vector, V sum) const {
    const V difference = hn::Sub(query, vector);
    return hn::MulAdd(difference, difference, sum);
  }
};

// One pass over the features with kQueries x kBlocks x kVectors accumulators. Adding 0 at the end turns -0
// into +0. Otherwise, skipping the zeros of a sparse row could change the sign of a zero.
template <class T, class Combine, std::size_t kQueries, std::size_t kBlocks>
HWY_INLINE void MicroKernel(const BlockView<T>& view, std::size_t block, const T* const* queries,
                            T* const* out) {
  using S = Shape<T>;
  const typename S::D d;
  const Combine combine;
  typename S::V sum[kQueries][kBlocks][S::kVectors];
  OKBENCH_UNROLL
  for (std::size_t q = 0; q < kQueries; ++q) {
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v) sum[q][b][v] = hn::Zero(d);
    }
  }
  const T* HWY_RESTRICT base = view.values + block * view.stride;
  const std::size_t stride = view.stride;
  const T* query[kQueries];
  OKBENCH_UNROLL
  for (std::size_t q = 0; q < kQueries; ++q) query[q] = queries[q];
  for (std::size_t j = 0; j < view.features; ++j) {
    typename S::V x[kBlocks][S::kVectors];
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v)
        x[b][v] = hn::Load(d, base + b * stride + j * kLanes + v * S::kWidth);
    }
    OKBENCH_UNROLL
    for (std::size_t q = 0; q < kQueries; ++q) {
      const auto value = hn::Set(d, query[q][j]);
      OKBENCH_UNROLL
      for (std::size_t b = 0; b < kBlocks; ++b) {
        OKBENCH_UNROLL
        for (std::size_t v = 0; v < S::kVectors; ++v) sum[q][b][v] = combine(value, x[b][v], sum[q][b][v]);
      }
    }
  }
  OKBENCH_UNROLL
  for (std::size_t q = 0; q < kQueries; ++q) {
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v)
        hn::StoreU(hn::Add(sum[q][b][v], hn::Zero(d)), d, out[q] + (block + b) * kLanes + v * S::kWidth);
    }
  }
}

// Processes groups of kBlocks blocks, then of half as many, down to single blocks.
template <class T, class Combine, std::size_t kQueries, std::size_t kBlocks>
HWY_INLINE void AllBlocks(const BlockView<T>& view, std::size_t first, std::size_t blocks,
                          const T* const* queries, T* const* out) {
  for (; first + kBlocks <= blocks; first += kBlocks)
    MicroKernel<T, Combine, kQueries, kBlocks>(view, first, queries, out);
  if constexpr (kBlocks > 1) AllBlocks<T, Combine, kQueries, kBlocks / 2>(view, first, blocks, queries, out);
}

template <class T, class Combine>
void Dense(const BlockView<T>& view, std::size_t blocks, const T* const* queries, std::size_t count,
           T* const* out) {
  using S = Shape<T>;
  std::size_t q = 0;
  for (; q + S::kTileQueries <= count; q += S::kTileQueries)
    AllBlocks<T, Combine, S::kTileQueries, S::kTileBlocks>(view, 0, blocks, queries + q, out + q);
  if constexpr (S::kTileQueries > 2) {
    for (; q + 2 <= count; q += 2)
      AllBlocks<T, Combine, 2, S::kRowBlocks / 2>(view, 0, blocks, queries + q, out + q);
  }
  for (; q < count; ++q) AllBlocks<T, Combine, 1, S::kRowBlocks>(view, 0, blocks, queries + q, out + q);
}

template <class T, class Combine, std::size_t kBlocks>
HWY_INLINE void SparseBlocks(const BlockView<T>& view, std::size_t block, const RowView<T>& query, T* out) {
  using S = Shape<T>;
  const typename S::D d;
  const Combine combine;
  typename S::V sum[kBlocks][S::kVectors];
  OKBENCH_UNROLL
  for (std::size_t b = 0; b < kBlocks; ++b) {
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) sum[b][v] = hn::Zero(d);
  }
  const T* HWY_RESTRICT base = view.values + block * view.stride;
  for (std::size_t j = 0; j < query.count; ++j) {
    const auto value = hn::Set(d, query.values[j]);
    const T* HWY_RESTRICT row = base + query.indices[j] * kLanes;
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v)
        sum[b][v] = combine(value, hn::Load(d, row + b * view.stride + v * S::kWidth), sum[b][v]);
    }
  }
  OKBENCH_UNROLL
  for (std::size_t b = 0; b < kBlocks; ++b) {
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v)
      hn::StoreU(hn::Add(sum[b][v], hn::Zero(d)), d, out + (block + b) * kLanes + v * S::kWidth);
  }
}

// Processes groups of kBlocks blocks, then of half as many, down to single blocks.
template <class T, class Combine, std::size_t kBlocks>
HWY_INLINE void AllSparseBlocks(const BlockView<T>& view, std::size_t first, std::size_t blocks,
                                const RowView<T>& query, T* out) {
  for (; first + kBlocks <= blocks; first += kBlocks)
    SparseBlocks<T, Combine, kBlocks>(view, first, query, out);
  if constexpr (kBlocks > 1) AllSparseBlocks<T, Combine, kBlocks / 2>(view, first, blocks, query, out);
}

template <class T, class Combine>
void Sparse(const BlockView<T>& view, std::size_t blocks, const RowView<T>& query, T* out) {
  AllSparseBlocks<T, Combine, Shape<T>::kRowBlocks>(view, 0, blocks, query, out);
}

template <class T, class Combine>
void Postings(const IndexEntry<T>* postings, std::size_t count, T q, T* HWY_RESTRICT out) {
  const hn::CappedTag<T, 1> d;
  const Combine combine;
  const auto value = hn::Set(d, q);
  for (std::size_t p = 0; p < count; ++p) {
    T* HWY_RESTRICT to = out + postings[p].slot;
    hn::Store(combine(value, hn::Set(d, postings[p].value), hn::Load(d, to)), d, to);
  }
}

HWY_INLINE void StoreCounts(hn::Vec<hn::CappedTag<std::int32_t, kLanes>> counts, float* out) {
  const hn::CappedTag<float, kLanes> d;
  hn::StoreU(hn::ConvertTo(d, counts), d, out);
}

HWY_INLINE void StoreCounts(hn::Vec<hn::CappedTag<std::int32_t, kLanes>> counts, double* out) {
  const hn::CappedTag<std::int32_t, kLanes> di;
  HWY_ALIGN std::int32_t buffer[kLanes];
  hn::Store(counts, di, buffer);
  for (std::size_t i = 0; i < hn::Lanes(di); ++i) out[i] = buffer[i];
}

template <class T>
void DotBits(const std::uint32_t* masks, std::size_t words, std::size_t blocks, const std::uint32_t* query,
             T* out) {
  const hn::CappedTag<std::uint32_t, kLanes> du;
  const hn::RebindToSigned<decltype(du)> di;
  constexpr std::size_t kWidth = hn::MaxLanes(du);
  constexpr std::size_t kVectors = kLanes / kWidth;
  for (std::size_t b = 0; b < blocks; ++b) {
    hn::Vec<decltype(du)> sum[kVectors];
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Zero(du);
    const std::uint32_t* HWY_RESTRICT block = masks + b * words * kLanes;
    for (std::size_t w = 0; w < words; ++w) {
      const auto mask = hn::Set(du, query[w]);
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto both = hn::And(mask, hn::Load(du, block + w * kLanes + v * kWidth));
        sum[v] = hn::Add(sum[v], hn::PopulationCount(both));
      }
    }
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v)
      StoreCounts(hn::BitCast(di, sum[v]), out + b * kLanes + v * kWidth);
  }
}

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_DOT_INL_H
