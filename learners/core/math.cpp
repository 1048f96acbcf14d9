#include "learners/core/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "learners/core/vectorised.h"

namespace okbench {

// Compiled for several instruction sets because std::fma is one instruction with AVX-512, else a call.
OKBENCH_VECTORISED double Exp(double x) {
  using C = ExpConstants<double>;
  if (std::isnan(x)) return x;
  if (x < C::kMin) return 0;
  if (x > 709.0) return std::numeric_limits<double>::infinity();
  const double n = std::nearbyint(x * C::kLog2e);
  const double r = std::fma(-n, C::kLn2Lo, std::fma(-n, C::kLn2Hi, x));
  double p = C::kTaylor[0];
  for (std::size_t k = 1; k < C::kTaylor.size(); ++k) p = std::fma(p, r, C::kTaylor[k]);
  const auto biased = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + 1023);
  // n = 1024 exceeds the exponent range: scale in two steps.
  if (biased > 2046) return p * 2.0 * std::bit_cast<double>((biased - 1) << 52);
  return p * std::bit_cast<double>(biased << 52);
}

OKBENCH_VECTORISED double Log(double x) {
  using C = ExpConstants<double>;
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m-1)/(m+1), |s| <= 0.1716.
  int e = 0;
  double m = std::frexp(x, &e);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --e;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double p = 0;
  for (int k = 25; k >= 3; k -= 2) p = std::fma(p, z, 1.0 / k);
  const double log_m = std::fma(2 * s * z, p, 2 * s);
  return std::fma(e, C::kLn2Hi, std::fma(e, C::kLn2Lo, log_m));
}

double LogOnePlusExp(double x) {
  const double tail = Exp(-std::fabs(x));
  // log(1 + t) = log(u) t / (u - 1) with u = 1 + t rounded: the rounding error of u cancels (Kahan).
  const double u = 1 + tail;
  const double log_tail = u == 1 ? tail : Log(u) * (tail / (u - 1));
  return (x > 0 ? x : 0) + log_tail;
}

namespace {

// pi/2 as a sum of three parts. The first two have 33 bits, so their products with integers below 2^20 are
// exact.
constexpr double kHalfPi1 = 0x1.921fb544p+0, kHalfPi2 = 0x1.0b4611a6p-34, kHalfPi3 = 0x1.3198a2e037073p-69;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1, kTwoPi = 0x1.921fb54442d18p+2;
constexpr double kLargestAngle = 1e6;
// Adding this constant rounds to an integer, which appears in the low bits of the sum.
constexpr double kRounder = 0x1.8p+52;

// Taylor polynomials on |r| <= pi/4. The truncation error is below 0.1 ulp.
double SinSeries(double r, double z) {
  double p = 1.0 / 355687428096000.0;  // 17!
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return r + r * z * p;
}

// 1 - z/2 is rounded; its rounding error is added to the remaining terms.
double CosSeries(double z) {
  double p = 1.0 / 20922789888000.0;  // 16!
  p = p * z - 1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  const double half = z / 2, rounded = 1 - half;
  return rounded + ((1 - rounded - half) + z * z * p);
}

}  // namespace

OKBENCH_VECTORISED void SinCos(std::span<const double> x, double* sin, double* cos) {
  std::uint64_t large = 0;
  for (const double v : x) large += static_cast<std::uint64_t>(!(std::fabs(v) <= kLargestAngle));
  std::vector<double> reduced;
  if (large > 0) {
    reduced.assign(x.begin(), x.end());
    for (double& v : reduced)
      if (!(std::fabs(v) <= kLargestAngle)) v = std::fmod(v, kTwoPi);  // fmod is exact, hence portable
    x = reduced;
  }
  const double* const angles = x.data();
  const std::size_t count = x.size();
  // Branch-free arithmetic and masks, so that the compiler vectorises the loop.
  for (std::size_t i = 0; i < count; ++i) {
    const double shifted = angles[i] * kTwoOverPi + kRounder;
    const double n = shifted - kRounder;
    const double r = ((angles[i] - n * kHalfPi1) - n * kHalfPi2) - n * kHalfPi3;
    const double z = r * r;
    const auto quarter = std::bit_cast<std::uint64_t>(shifted);
    const auto s = std::bit_cast<std::uint64_t>(SinSeries(r, z));
    const auto c = std::bit_cast<std::uint64_t>(CosSeries(z));
    const std::uint64_t swap = (s ^ c) & (0 - (quarter & 1));
    const std::uint64_t sin_sign = (quarter & 2) << 62, cos_sign = ((quarter + 1) & 2) << 62;
    sin[i] = std::bit_cast<double>((s ^ swap) ^ sin_sign);
    cos[i] = std::bit_cast<double>((c ^ swap) ^ cos_sign);
  }
}

double Sin(double x) {
  double sin = 0, cos = 0;
  SinCos(std::span(&x, 1), &sin, &cos);
  return sin;
}

double Cos(double x) {
  double sin = 0, cos = 0;
  SinCos(std::span(&x, 1), &sin, &cos);
  return cos;
}

}  // namespace okbench
