#include "learners/core/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace okbench {

double Exp(double x) {
  using C = ExpConstants<double>;
  if (std::isnan(x)) return x;
  if (x < C::kMin) return 0;
  if (x > 709.0) return std::numeric_limits<double>::infinity();
  const double n = std::nearbyint(x * C::kLog2e);
  const double r = std::fma(-n, C::kLn2Lo, std::fma(-n, C::kLn2Hi, x));
  double p = C::kTaylor[0];
  for (std::size_t k = 1; k < C::kTaylor.size(); ++k) p = std::fma(p, r, C::kTaylor[k]);
  const auto biased = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + 1023);
  // n = 1024 has no exponent of its own: split the scaling in two.
  if (biased > 2046) return p * 2.0 * std::bit_cast<double>((biased - 1) << 52);
  return p * std::bit_cast<double>(biased << 52);
}

double Log(double x) {
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
  // log(1 + t) = log(u) t / (u - 1) with u = 1 + t rounded: the rounding cancels (Kahan).
  const double u = 1 + tail;
  const double log_tail = u == 1 ? tail : Log(u) * (tail / (u - 1));
  return (x > 0 ? x : 0) + log_tail;
}

}  // namespace okbench
