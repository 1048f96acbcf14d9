// Sums and updates along kernel rows, in double precision.
//
// Highway conventions: see ops.cpp.
#if defined(OKBENCH_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_VECTORS_INL_H
#undef OKBENCH_VECTORS_INL_H
#else
#define OKBENCH_VECTORS_INL_H
#endif

#include <array>
#include <cstring>

#include "hwy/cache_control.h"
#include "learners/kernels/internal/shape-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

HWY_INLINE void Widen(const float* k, std::size_t n, double* out) {
  const hn::CappedTag<double, kLanes> d;
  const hn::Rebind<float, decltype(d)> df;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(df, k + i)), d, out + i);
}

HWY_INLINE const double* AsDouble(const float* k, std::size_t n, double* scratch) {
  Widen(k, n, scratch);
  return scratch;
}
HWY_INLINE const double* AsDouble(const double* k, std::size_t /*n*/, double* /*scratch*/) { return k; }

HWY_INLINE hn::Vec<hn::CappedTag<double, kLanes>> LoadWide(const float* k) {
  const hn::CappedTag<double, kLanes> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), k));
}
HWY_INLINE hn::Vec<hn::CappedTag<double, kLanes>> LoadWide(const double* k) {
  return hn::LoadU(hn::CappedTag<double, kLanes>(), k);
}

// Prefetch distance in entries. Software prefetch helps because the hardware prefetcher restarts at every
// page.
constexpr std::size_t kAhead = 24 * kLanes;

template <std::size_t kColumns, class T>
HWY_INLINE void SumColumns(const T* k, std::size_t blocks, const double* columns, std::size_t stride,
                           double* sums) {
  using S = Shape<double>;
  const typename S::D d;
  typename S::V sum[kColumns][S::kVectors];
  OKBENCH_UNROLL
  for (std::size_t c = 0; c < kColumns; ++c) {
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) sum[c][v] = hn::Zero(d);
  }
  for (std::size_t i = 0; i < blocks * kLanes; i += kLanes) {
    hwy::Prefetch(k + i + kAhead);
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const auto value = LoadWide(k + i + v * S::kWidth);
      OKBENCH_UNROLL
      for (std::size_t c = 0; c < kColumns; ++c)
        sum[c][v] = hn::MulAdd(value, hn::LoadU(d, columns + c * stride + i + v * S::kWidth), sum[c][v]);
    }
  }
  for (std::size_t c = 0; c < kColumns; ++c) {
    HWY_ALIGN double lane[kLanes];
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) hn::Store(sum[c][v], d, lane + v * S::kWidth);
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) lane[i] += lane[i + half];
    sums[c] = lane[0];
  }
}

template <class T>
void WeightedSums(const T* k, std::size_t blocks, const double* columns, std::size_t stride,
                  std::size_t count, double* scratch, double* sums) {
  // A single column converts values as it reads them; for more columns they are converted once.
  if (count == 1) return SumColumns<1>(k, blocks, columns, stride, sums);
  const double* wide = AsDouble(k, blocks * kLanes, scratch);
  std::size_t c = 0;
  constexpr std::size_t kGroup = Shape<double>::kWide ? 10 : 4;
  for (; c + kGroup <= count; c += kGroup)
    SumColumns<kGroup>(wide, blocks, columns + c * stride, stride, sums + c);
  for (; c + 2 <= count; c += 2) SumColumns<2>(wide, blocks, columns + c * stride, stride, sums + c);
  for (; c < count; ++c) SumColumns<1>(wide, blocks, columns + c * stride, stride, sums + c);
}

template <class T>
void AddScaled(const T* k, std::size_t n, double a, double* y) {
  const hn::CappedTag<double, kLanes> d;
  const auto factor = hn::Set(d, a);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::MulAdd(factor, LoadWide(k + i), hn::LoadU(d, y + i)), d, y + i);
}

// y[i] += a[r] row(r)[i], r in order, for slots first .. first + kBlocks * kLanes - 1. `row` maps r to a
// pointer.
template <std::size_t kBlocks, class Row>
HWY_INLINE void AddToBlocks(const Row& row, std::size_t first, std::size_t count, const double* a,
                            double* y) {
  using S = Shape<double>;
  constexpr std::size_t kSums = kBlocks * S::kVectors;
  const typename S::D d;
  typename S::V sum[kSums];
  OKBENCH_UNROLL
  for (std::size_t v = 0; v < kSums; ++v) sum[v] = hn::LoadU(d, y + first + v * S::kWidth);
  for (std::size_t r = 0; r < count; ++r) {
    const auto factor = hn::Set(d, a[r]);
    const auto* const k = row(r) + first;
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < kSums; ++v) sum[v] = hn::MulAdd(factor, LoadWide(k + v * S::kWidth), sum[v]);
  }
  OKBENCH_UNROLL
  for (std::size_t v = 0; v < kSums; ++v) hn::StoreU(sum[v], d, y + first + v * S::kWidth);
}

// Enough independent sums to hide the latency of a fused multiply-add.
template <class Row>
HWY_INLINE void AddEach(const Row& row, std::size_t count, std::size_t n, const double* a, double* y) {
  constexpr std::size_t kGroup = 8 / Shape<double>::kVectors;
  std::size_t i = 0;
  for (; i + kGroup * kLanes <= n; i += kGroup * kLanes) AddToBlocks<kGroup>(row, i, count, a, y);
  for (; i < n; i += kLanes) AddToBlocks<1>(row, i, count, a, y);
}

template <class T>
void AddRows(const T* k, std::size_t stride, std::size_t count, std::size_t n, const double* a, double* y) {
  AddEach([=](std::size_t r) { return k + r * stride; }, count, n, a, y);
}

template <class T>
void AddListed(const T* const* rows, std::size_t first, std::size_t count, std::size_t n, const double* a,
               double* y) {
  AddEach([=](std::size_t r) { return rows[r] + first; }, count, n, a, y);
}

// Always stores whole vectors: lanes that are not kept land on entries that are overwritten later or were
// already read.
template <class T>
std::size_t Compact(const T* values, const std::uint64_t* kept, std::size_t n, T* out) {
  const hn::CappedTag<T, kLanes> d;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const std::uint64_t word = kept[i / 64] >> (i % 64);
    std::array<std::uint8_t, sizeof(word)> bits;
    std::memcpy(bits.data(), &word, sizeof(word));
    const auto mask = hn::LoadMaskBits(d, bits.data());
    hn::StoreU(hn::Compress(hn::LoadU(d, values + i), mask), d, out + count);
    count += hn::CountTrue(d, mask);
  }
  return count;
}

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_VECTORS_INL_H
