// Integer rows: exact dot products, squared distances and sums of minima in 32-bit integers.
//
// Highway conventions: see ops.cpp.
#if defined(OKBENCH_WHOLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_WHOLE_INL_H
#undef OKBENCH_WHOLE_INL_H
#else
#define OKBENCH_WHOLE_INL_H
#endif

#include <cstring>

#include "learners/kernels/internal/shape-inl.h"

// AVX3_DL of this Highway version requires VNNI at run time but does not enable it in the compiler.
#if HWY_TARGET == HWY_AVX3_DL
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512vnni")
static_assert(true, "as in HWY_BEFORE_NAMESPACE, requires a semicolon");
#else
HWY_BEFORE_NAMESPACE();
#endif
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

using IntegerD = hn::CappedTag<std::int32_t, kLanes>;
using IntegerV = hn::Vec<IntegerD>;

struct IntegerShape {
  static constexpr std::size_t kWidth = hn::MaxLanes(IntegerD());
  static constexpr std::size_t kVectors = kLanes / kWidth;
  static constexpr bool kWide = Shape<float>::kWide;
  static constexpr std::size_t kTileQueries = kWide ? 6 : 4;
  static constexpr std::size_t kTileBlocks = kWide ? 4 : 1;
  static constexpr std::size_t kRowBlocks = kWide ? 8 : 4;
};

// sum + the two products of 16-bit integers in each lane. All sums are modulo 2^32.
HWY_INLINE IntegerV AddWordProducts(IntegerV a, IntegerV b, IntegerV sum) {
  const IntegerD d;
#if HWY_TARGET == HWY_AVX3_DL
  return IntegerV{_mm512_dpwssd_epi32(sum.raw, a.raw, b.raw)};
#elif HWY_ARCH_X86
  const hn::Repartition<std::int16_t, IntegerD> dw;
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, hn::BitCast(dw, a), hn::BitCast(dw, b), sum, unused);
#else
  // NEON: a widening 16-bit multiplication moves products to other lanes, so multiply in 32 bits.
  (void)d;
  const auto low = [](IntegerV v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  sum = hn::Add(sum, hn::Mul(low(a), low(b)));
  return hn::Add(sum, hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b)));
#endif
}

// A step is two 16-bit integers.
struct WordDot {
  static HWY_INLINE IntegerV Start(std::int32_t /*query_sum*/) { return hn::Zero(IntegerD()); }
  static HWY_INLINE IntegerV Add(IntegerV query, IntegerV vector, IntegerV sum) {
    return AddWordProducts(query, vector, sum);
  }
};

struct WordMin {
  static HWY_INLINE IntegerV Start(std::int32_t /*query_sum*/) { return hn::Zero(IntegerD()); }
  static HWY_INLINE IntegerV Add(IntegerV query, IntegerV vector, IntegerV sum) {
    const IntegerD d;
    const hn::Repartition<std::int16_t, IntegerD> dw;
    const auto least = hn::Min(hn::BitCast(dw, query), hn::BitCast(dw, vector));
    return AddWordProducts(hn::BitCast(d, least), hn::BitCast(d, hn::Set(dw, std::int16_t{1})), sum);
  }
};

#if HWY_TARGET == HWY_AVX3_DL
// A step is 4 bytes: unsigned q of the query, and v - 128 of the vectors.
//   <q, v> = <q, v - 128> + 128 sum_j q_j
struct ByteDot {
  static HWY_INLINE IntegerV Start(std::int32_t query_sum) { return hn::Set(IntegerD(), 128 * query_sum); }
  static HWY_INLINE IntegerV Add(IntegerV query, IntegerV vector, IntegerV sum) {
    return IntegerV{_mm512_dpbusd_epi32(sum.raw, query.raw, vector.raw)};
  }
};

struct ByteMin {
  static HWY_INLINE IntegerV Start(std::int32_t /*query_sum*/) { return hn::Zero(IntegerD()); }
  static HWY_INLINE IntegerV Add(IntegerV query, IntegerV vector, IntegerV sum) {
    const auto bytes = _mm512_xor_si512(vector.raw, _mm512_set1_epi8(-128));
    return IntegerV{_mm512_dpbusd_epi32(sum.raw, _mm512_min_epu8(query.raw, bytes), _mm512_set1_epi8(1))};
  }
};
#endif

HWY_INLINE void StoreIntegers(IntegerV v, float* out) {
  hn::StoreU(hn::ConvertTo(Shape<float>::D(), v), Shape<float>::D(), out);
}

HWY_INLINE void StoreIntegers(IntegerV v, double* out) {
  using S = Shape<double>;
  const typename S::D d;
  const hn::Rebind<std::int32_t, typename S::D> half;
  HWY_ALIGN std::int32_t buffer[kLanes];
  hn::Store(v, IntegerD(), buffer);
  OKBENCH_UNROLL
  for (std::size_t i = 0; i < IntegerShape::kWidth; i += S::kWidth)
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, buffer + i)), d, out + i);
}

template <class T, class Op, std::size_t kQueries, std::size_t kBlocks>
HWY_INLINE void IntegerKernel(const IntegerView& view, std::size_t block, const IntegerQueries& queries,
                              std::size_t first, T* const* out) {
  using S = IntegerShape;
  const IntegerD d;
  IntegerV sum[kQueries][kBlocks][S::kVectors];
  const std::uint8_t* query[kQueries];
  OKBENCH_UNROLL
  for (std::size_t q = 0; q < kQueries; ++q) {
    query[q] = queries.codes[first + q];
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v) sum[q][b][v] = Op::Start(queries.sums[first + q]);
    }
  }
  const std::uint8_t* const base = view.codes + block * view.stride;
  for (std::size_t j = 0; j < view.steps; ++j) {
    IntegerV x[kBlocks][S::kVectors];
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v) {
        const std::uint8_t* const from = base + b * view.stride + (j * kLanes + v * S::kWidth) * 4;
        x[b][v] = hn::Load(d, reinterpret_cast<const std::int32_t*>(from));
      }
    }
    OKBENCH_UNROLL
    for (std::size_t q = 0; q < kQueries; ++q) {
      std::int32_t step = 0;
      std::memcpy(&step, query[q] + 4 * j, sizeof(step));
      const IntegerV value = hn::Set(d, step);
      OKBENCH_UNROLL
      for (std::size_t b = 0; b < kBlocks; ++b) {
        OKBENCH_UNROLL
        for (std::size_t v = 0; v < S::kVectors; ++v) sum[q][b][v] = Op::Add(value, x[b][v], sum[q][b][v]);
      }
    }
  }
  OKBENCH_UNROLL
  for (std::size_t q = 0; q < kQueries; ++q) {
    OKBENCH_UNROLL
    for (std::size_t b = 0; b < kBlocks; ++b) {
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v) {
        const std::size_t slot = (block + b) * kLanes + v * S::kWidth;
        IntegerV value = sum[q][b][v];
        if (view.squared_norms != nullptr) {
          const IntegerV norms =
              hn::Add(hn::Set(d, queries.squared_norms[first + q]), hn::Load(d, view.squared_norms + slot));
          value = hn::Sub(norms, hn::Add(value, value));
        }
        StoreIntegers(value, out[first + q] + slot);
      }
    }
  }
}

// Processes groups of kBlocks blocks, then of half as many, down to single blocks.
template <class T, class Op, std::size_t kQueries, std::size_t kBlocks>
HWY_INLINE void AllIntegerBlocks(const IntegerView& view, std::size_t first, std::size_t blocks,
                                 const IntegerQueries& queries, std::size_t q, T* const* out) {
  for (; first + kBlocks <= blocks; first += kBlocks)
    IntegerKernel<T, Op, kQueries, kBlocks>(view, first, queries, q, out);
  if constexpr (kBlocks > 1)
    AllIntegerBlocks<T, Op, kQueries, kBlocks / 2>(view, first, blocks, queries, q, out);
}

template <class T, class Op>
void Whole(const IntegerView& view, std::size_t blocks, const IntegerQueries& queries, T* const* out) {
  using S = IntegerShape;
  std::size_t q = 0;
  for (; q + S::kTileQueries <= queries.count; q += S::kTileQueries)
    AllIntegerBlocks<T, Op, S::kTileQueries, S::kTileBlocks>(view, 0, blocks, queries, q, out);
  for (; q + 2 <= queries.count; q += 2)
    AllIntegerBlocks<T, Op, 2, S::kRowBlocks / 2>(view, 0, blocks, queries, q, out);
  for (; q < queries.count; ++q) AllIntegerBlocks<T, Op, 1, S::kRowBlocks>(view, 0, blocks, queries, q, out);
}

template <class T>
constexpr IntegerOps<T> IntegerTable() {
#if HWY_TARGET == HWY_AVX3_DL
  return {true, Whole<T, ByteDot>, Whole<T, ByteMin>, Whole<T, WordDot>, Whole<T, WordMin>};
#else
  return {false, nullptr, nullptr, Whole<T, WordDot>, Whole<T, WordMin>};
#endif
}

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_WHOLE_INL_H
