// Dot products to kernel values: exp with fixed polynomials, integer powers. Also squared norms.
//
// Highway conventions: see ops.cpp.
#if defined(OKBENCH_FINISH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_FINISH_INL_H
#undef OKBENCH_FINISH_INL_H
#else
#define OKBENCH_FINISH_INL_H
#endif

#include "learners/core/math.h"
#include "learners/kernels/internal/shape-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

// e^x for x <= 0, constants from math.h. Adding 1.5 * 2^mantissa rounds x / ln 2 to an integer n in the low
// bits; shifted left, n lands in the exponent field.
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

inline void Exponentials(std::size_t n, double* x) {
  using S = Shape<double>;
  const typename S::D d;
  for (std::size_t i = 0; i < n; i += S::kWidth) hn::StoreU(ExpNonPositive(d, hn::LoadU(d, x + i)), d, x + i);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Power(D d, V base, int degree) {
  // Square-and-multiply from the lowest bit: a fixed chain of multiplications for a given degree.
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

// Whether RBF values computed from norms and dot products are inexact; `sum` is ||x||^2 + ||x'||^2.
template <class D, class T = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> Inexact(D d, const FinishParameters<T>& p, V value, V sum) {
  return hn::Or(hn::Gt(hn::Mul(value, sum), hn::Set(d, p.near)), hn::Gt(sum, hn::Set(d, p.far)));
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
    case KernelKind::kSum:       // each term is finished separately
    case KernelKind::kFunction:  // complete values
      return;
  }
}

template <class T>
bool HasInexact(const FinishParameters<T>& p, T query_norm, const T* norms, std::size_t n, const T* values) {
  using S = Shape<T>;
  const typename S::D d;
  const auto norm = hn::Set(d, query_norm);
  for (std::size_t i = 0; i < n; i += S::kWidth) {
    const auto sum = hn::Add(norm, hn::LoadU(d, norms + i));
    if (!hn::AllFalse(d, Inexact(d, p, hn::LoadU(d, values + i), sum))) return true;
  }
  return false;
}

template <class T>
void ReplaceInexact(const FinishParameters<T>& p, T query_norm, const T* norms, const T* distances,
                    std::size_t n, T* out) {
  using S = Shape<T>;
  const typename S::D d;
  const auto norm = hn::Set(d, query_norm);
  const auto gamma = hn::Set(d, p.minus_gamma);
  for (std::size_t i = 0; i < n; i += S::kWidth) {
    const auto value = hn::LoadU(d, out + i);
    const auto inexact = Inexact(d, p, value, hn::Add(norm, hn::LoadU(d, norms + i)));
    const auto exact = ExpNonPositive(d, hn::Mul(gamma, hn::LoadU(d, distances + i)));
    hn::StoreU(hn::IfThenElse(inexact, exact, value), d, out + i);
  }
}

template <class T>
void FinishDistances(T minus_gamma, std::size_t n, T* out) {
  using S = Shape<T>;
  const typename S::D d;
  const auto gamma = hn::Set(d, minus_gamma);
  for (std::size_t i = 0; i < n; i += S::kWidth)
    hn::StoreU(ExpNonPositive(d, hn::Mul(gamma, hn::LoadU(d, out + i))), d, out + i);
}

template <class T>
void ScaleDots(T factor, const T* factors, std::size_t n, T* out) {
  using S = Shape<T>;
  const typename S::D d;
  const auto scale = hn::Set(d, factor);
  for (std::size_t i = 0; i < n; i += S::kWidth) {
    auto dot = hn::Mul(hn::LoadU(d, out + i), scale);
    if (factors != nullptr) dot = hn::Mul(dot, hn::LoadU(d, factors + i));
    hn::StoreU(dot, d, out + i);
  }
}

template <class T>
T SquaredNorm(const RowView<T>& row) {
  // A one-lane vector keeps the chain of fused multiply-adds in a register.
  const hn::CappedTag<T, 1> d;
  auto sum = hn::Zero(d);
  for (std::size_t j = 0; j < row.count; ++j) {
    const auto v = hn::Set(d, row.values[j]);
    sum = hn::MulAdd(v, v, sum);
  }
  return hn::GetLane(sum) + T(0);
}

// Several rows at once, because a single chain waits for the latency of every multiply-add.
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

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_FINISH_INL_H
