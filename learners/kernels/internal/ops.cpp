// Compiled once per instruction set by Highway's foreach_target.
#define HWY_WANT_AVX3_DL 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learners/kernels/internal/ops.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "learners/core/math.h"
#include "learners/kernels/internal/ops.h"

// Bit-reproducibility needs fused multiply-add; targets without it get an empty table.
#undef OKBENCH_TARGET_HAS_FMA
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    (HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64)
#define OKBENCH_TARGET_HAS_FMA 1
#else
#define OKBENCH_TARGET_HAS_FMA 0
#endif

#undef OKBENCH_UNROLL
#if HWY_COMPILER_CLANG
#define OKBENCH_UNROLL _Pragma("clang loop unroll(full)")
#else
#define OKBENCH_UNROLL _Pragma("GCC unroll 32")
#endif

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {

#if OKBENCH_TARGET_HAS_FMA

namespace hn = hwy::HWY_NAMESPACE;

// Vectors per block, and the micro-kernel shapes: accumulators fill the registers without spilling (32 with
// AVX-512, 16 with AVX2) and outnumber the latency of a fused multiply-add.
template <class T>
struct Shape {
  using D = hn::CappedTag<T, kLanes>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kWidth = hn::MaxLanes(D());
  static constexpr std::size_t kVectors = kLanes / kWidth;
  static constexpr bool kWide = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;
  // Several queries: kTileQueries x kTileBlocks blocks.
  static constexpr std::size_t kTileQueries = kWide ? 6 : (sizeof(T) == 4 ? 6 : 2);
  static constexpr std::size_t kTileBlocks = kWide ? 4 / kVectors : 1;
  // One query.
  static constexpr std::size_t kRowBlocks = kWide ? 8 / kVectors : (sizeof(T) == 4 ? 4 : 2);
};

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

// queries x blocks accumulators, one pass over the features. Adding zero at the end turns a possible -0 into
// +0, so that skipping the zeros of a sparse row cannot be told apart.
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

// Groups of kBlocks blocks, then of half as many, down to single ones.
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

template <class T, class Combine>
void Sparse(const BlockView<T>& view, std::size_t blocks, const RowView<T>& query, T* out) {
  constexpr std::size_t kBlocks = Shape<T>::kRowBlocks;
  std::size_t b = 0;
  for (; b + kBlocks <= blocks; b += kBlocks) SparseBlocks<T, Combine, kBlocks>(view, b, query, out);
  for (; b < blocks; ++b) SparseBlocks<T, Combine, 1>(view, b, query, out);
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

// e^x for x <= 0. Adding 1.5 * 2^mantissa rounds x / ln 2 to an integer n in the low bits, which shifted
// left is n in the exponent field.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ExpNonPositive(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;
  const hn::RebindToUnsigned<D> du;
  const V magic = hn::Set(d, sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52));
  const V floor = hn::Set(d, C::kMin);
  const V clamped = hn::Max(x, floor);
  const V shifted = hn::MulAdd(clamped, hn::Set(d, C::kLog2e), magic);
  const V n = hn::Sub(shifted, magic);
  V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Hi), clamped);
  r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Lo), r);
  V p = hn::Set(d, C::kTaylor[0]);
  OKBENCH_UNROLL
  for (std::size_t k = 1; k < C::kTaylor.size(); ++k) p = hn::MulAdd(p, r, hn::Set(d, C::kTaylor[k]));
  const auto exponent = hn::ShiftLeft<kMantissa>(hn::BitCast(du, shifted));
  const V value = hn::BitCast(d, hn::Add(hn::BitCast(du, p), exponent));
  return hn::IfThenElseZero(hn::Ge(x, floor), value);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Power(D d, V base, int degree) {
  // Square and multiply from the lowest bit: a fixed chain of multiplications for a given degree.
  V power = base;
  V result = hn::Set(d, hn::TFromD<D>(1));
  bool first = true;
  for (int e = degree;;) {
    if (e & 1) {
      result = first ? power : hn::Mul(result, power);
      first = false;
    }
    e >>= 1;
    if (e == 0) return result;
    power = hn::Mul(power, power);
  }
}

template <class T>
void Finish(const FinishParameters<T>& p, T query_norm, const T* norms, std::size_t n, T* out) {
  using S = Shape<T>;
  const typename S::D d;
  switch (p.kind) {
    case KernelKind::kRbf: {
      const auto norm = hn::Set(d, query_norm);
      const auto gamma = hn::Set(d, p.minus_gamma);
      const auto two = hn::Set(d, T(2));
      for (std::size_t i = 0; i < n; i += S::kWidth) {
        const auto sum = hn::Add(norm, hn::LoadU(d, norms + i));
        const auto distance = hn::Max(hn::NegMulAdd(two, hn::LoadU(d, out + i), sum), hn::Zero(d));
        hn::StoreU(ExpNonPositive(d, hn::Mul(gamma, distance)), d, out + i);
      }
      return;
    }
    case KernelKind::kPolynomial: {
      const auto scale = hn::Set(d, p.scale);
      const auto offset = hn::Set(d, p.offset);
      for (std::size_t i = 0; i < n; i += S::kWidth)
        hn::StoreU(Power(d, hn::MulAdd(scale, hn::LoadU(d, out + i), offset), p.degree), d, out + i);
      return;
    }
    case KernelKind::kLinear:
    case KernelKind::kHistogramIntersection:
      return;
  }
}

template <class T>
T SquaredNorm(const RowView<T>& row) {
  // A one-lane vector keeps the chain of fused multiply-adds in registers.
  const hn::CappedTag<T, 1> d;
  auto sum = hn::Zero(d);
  for (std::size_t j = 0; j < row.count; ++j) {
    const auto v = hn::Set(d, row.values[j]);
    sum = hn::MulAdd(v, v, sum);
  }
  return hn::GetLane(sum) + T(0);
}

// Several rows at once, because one chain alone waits for each of its multiply-adds.
template <class T>
void SquaredNorms(const T* values, std::size_t features, std::size_t rows, T* out) {
  constexpr std::size_t kRows = 8;
  const hn::CappedTag<T, 1> d;
  std::size_t i = 0;
  for (; i + kRows <= rows; i += kRows) {
    const T* HWY_RESTRICT base = values + i * features;
    hn::Vec<hn::CappedTag<T, 1>> sum[kRows];
    OKBENCH_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) sum[r] = hn::Zero(d);
    for (std::size_t j = 0; j < features; ++j) {
      OKBENCH_UNROLL
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto v = hn::Set(d, base[r * features + j]);
        sum[r] = hn::MulAdd(v, v, sum[r]);
      }
    }
    OKBENCH_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) out[i + r] = hn::GetLane(sum[r]) + T(0);
  }
  for (; i < rows; ++i) out[i] = SquaredNorm<T>({values + i * features, nullptr, features});
}

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

template <std::size_t kColumns>
HWY_INLINE void SumColumns(const double* k, std::size_t blocks, const double* columns, std::size_t stride,
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
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const auto value = hn::LoadU(d, k + i + v * S::kWidth);
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
  const double* wide = AsDouble(k, blocks * kLanes, scratch);
  std::size_t c = 0;
  constexpr std::size_t kGroup = Shape<double>::kWide ? 10 : 4;
  for (; c + kGroup <= count; c += kGroup)
    SumColumns<kGroup>(wide, blocks, columns + c * stride, stride, sums + c);
  for (; c + 2 <= count; c += 2) SumColumns<2>(wide, blocks, columns + c * stride, stride, sums + c);
  for (; c < count; ++c) SumColumns<1>(wide, blocks, columns + c * stride, stride, sums + c);
}

HWY_INLINE hn::Vec<hn::CappedTag<double, kLanes>> LoadWide(const float* k) {
  const hn::CappedTag<double, kLanes> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), k));
}
HWY_INLINE hn::Vec<hn::CappedTag<double, kLanes>> LoadWide(const double* k) {
  return hn::LoadU(hn::CappedTag<double, kLanes>(), k);
}

template <class T>
void AddScaled(const T* k, std::size_t n, double a, double* y) {
  const hn::CappedTag<double, kLanes> d;
  const auto factor = hn::Set(d, a);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::MulAdd(factor, LoadWide(k + i), hn::LoadU(d, y + i)), d, y + i);
}

template <class T>
void AddDifference(const T* k, const T* l, std::size_t n, double a, double* y) {
  const hn::CappedTag<double, kLanes> d;
  const auto factor = hn::Set(d, a);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto difference = hn::Sub(LoadWide(k + i), LoadWide(l + i));
    hn::StoreU(hn::MulAdd(factor, difference, hn::LoadU(d, y + i)), d, y + i);
  }
}

template <class T>
void AddRows(const T* k, std::size_t stride, std::size_t count, std::size_t n, const double* a, double* y) {
  using S = Shape<double>;
  const typename S::D d;
  for (std::size_t i = 0; i < n; i += kLanes) {
    typename S::V sum[S::kVectors];
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) sum[v] = hn::LoadU(d, y + i + v * S::kWidth);
    for (std::size_t r = 0; r < count; ++r) {
      const auto factor = hn::Set(d, a[r]);
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v)
        sum[v] = hn::MulAdd(factor, LoadWide(k + r * stride + i + v * S::kWidth), sum[v]);
    }
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) hn::StoreU(sum[v], d, y + i + v * S::kWidth);
  }
}

template <class T>
const KernelOps<T>* Table() {
  static constexpr KernelOps<T> kOps = {Shape<T>::kTileBlocks,
                                        Dense<T, FmaCombine>,
                                        Dense<T, MinCombine>,
                                        Sparse<T, FmaCombine>,
                                        Sparse<T, MinCombine>,
                                        DotBits<T>,
                                        Finish<T>,
                                        SquaredNorm<T>,
                                        SquaredNorms<T>,
                                        WeightedSums<T>,
                                        AddScaled<T>,
                                        AddDifference<T>,
                                        AddRows<T>};
  return &kOps;
}

#else  // no fused multiply-add

template <class T>
const KernelOps<T>* Table() {
  return nullptr;
}

#endif  // OKBENCH_TARGET_HAS_FMA

const KernelOps<float>* FloatTable() { return Table<float>(); }
const KernelOps<double>* DoubleTable() { return Table<double>(); }

}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <atomic>

#include "learners/core/error.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace internal {
namespace {

// We pick a target by name instead of through Highway's global dispatch state, so that one program can
// compare targets.
struct Candidate {
  const char* name;
  std::int64_t bit;
  const KernelOps<float>* (*float_table)();
  const KernelOps<double>* (*double_table)();
};

#define OKBENCH_CANDIDATE(label, target) \
  Candidate { label, HWY_##target, &N_##target::FloatTable, &N_##target::DoubleTable }

const std::vector<Candidate>& Compiled() {
  static const std::vector<Candidate> list = {
#if HWY_TARGETS & HWY_AVX3_DL
    OKBENCH_CANDIDATE("avx512-dl", AVX3_DL),
#endif
#if HWY_TARGETS & HWY_AVX3
    OKBENCH_CANDIDATE("avx512", AVX3),
#endif
#if HWY_TARGETS & HWY_AVX2
    OKBENCH_CANDIDATE("avx2", AVX2),
#endif
#if HWY_TARGETS & HWY_NEON
    OKBENCH_CANDIDATE("neon", NEON),
#endif
  };
  return list;
}

bool Runs(const Candidate& candidate) { return (hwy::SupportedTargets() & candidate.bit) != 0; }

std::atomic<const Candidate*> selected{nullptr};

const Candidate& Active() {
  if (const Candidate* chosen = selected.load()) return *chosen;
  for (const Candidate& candidate : Compiled())
    if (Runs(candidate)) return candidate;
  throw UnsupportedMachine(
      "this processor has no fused multiply-add (AVX2 with FMA, AVX-512 or 64-bit NEON), which "
      "bit-reproducible results need");
}

}  // namespace

template <>
const KernelOps<float>& Ops<float>() {
  return *Active().float_table();
}
template <>
const KernelOps<double>& Ops<double>() {
  return *Active().double_table();
}

}  // namespace internal

std::vector<std::string> AvailableTargets() {
  std::vector<std::string> names;
  for (const auto& candidate : internal::Compiled())
    if (internal::Runs(candidate)) names.emplace_back(candidate.name);
  return names;
}

std::string ActiveTarget() { return internal::Active().name; }

void SelectTarget(std::string_view name) {
  if (name == "best") {
    internal::selected = nullptr;
    return;
  }
  for (const auto& candidate : internal::Compiled()) {
    if (candidate.name != name || !internal::Runs(candidate)) continue;
    internal::selected = &candidate;
    return;
  }
  std::string allowed = "best";
  for (const auto& available : AvailableTargets()) allowed += ", " + available;
  throw InvalidArgument("target '" + std::string(name) + "' is not available here; choose one of " + allowed);
}

}  // namespace okbench
#endif  // HWY_ONCE
