#pragma once
// exp, log, sin and cos with the same bits on every machine. They evaluate fixed polynomials; exp and log use
// explicit fused multiply-add.
//
// Code whose values can reach a trace must not use libm for these functions.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace okbench {

/// Constants of exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln(2)/2. exp(r) is its Taylor polynomial in
/// Horner form; the truncation error is below 0.1 ulp. Shared by the scalar functions below and the
/// vectorised kernels.
template <class T>
struct ExpConstants;

template <>
struct ExpConstants<double> {
  static constexpr double kLog2e = 0x1.71547652b82fep+0;
  static constexpr double kLn2Hi = 0x1.62e42fefa39efp-1;
  static constexpr double kLn2Lo = 0x1.abc9e3b39803fp-56;
  static constexpr double kMin = -708.0;             ///< exp(x) = 0 for x < kMin, which avoids denormals
  static constexpr std::array<double, 14> kTaylor = {// 1/k!, k = 13 .. 0
                                                     1.0 / 6227020800.0,
                                                     1.0 / 479001600.0,
                                                     1.0 / 39916800.0,
                                                     1.0 / 3628800.0,
                                                     1.0 / 362880.0,
                                                     1.0 / 40320.0,
                                                     1.0 / 5040.0,
                                                     1.0 / 720.0,
                                                     1.0 / 120.0,
                                                     1.0 / 24.0,
                                                     1.0 / 6.0,
                                                     0.5,
                                                     1.0,
                                                     1.0};
};

template <>
struct ExpConstants<float> {
  static constexpr float kLog2e = 0x1.715476p+0F;
  static constexpr float kLn2Hi = 0x1.62e430p-1F;
  static constexpr float kLn2Lo = -0x1.05c610p-29F;
  static constexpr float kMin = -87.0F;
  static constexpr std::array<float, 8> kTaylor = {
      // 1/k!, k = 7 .. 0
      1.0F / 5040.0F, 1.0F / 720.0F, 1.0F / 120.0F, 1.0F / 24.0F, 1.0F / 6.0F, 0.5F, 1.0F, 1.0F};
};

/// e^x, within 1.5 ulp; 0 for x < -708, infinity for x > 709.
double Exp(double x);
/// Natural logarithm, within 2.5 ulp. REQUIRES: x > 0.
double Log(double x);
/// log(1 + e^x) without overflow: max(x, 0) + log(1 + e^-|x|).
double LogOnePlusExp(double x);

/// Computes sin and cos of every x[i]; both outputs have x.size() entries. Error: within 2.5 ulp for |x| <=
/// 10^6. For larger |x| the angle is reduced modulo the double nearest to 2 pi, which shifts it by up to
/// 4e-17 |x|. NaN if x[i] is not finite.
void SinCos(std::span<const double> x, double* sin, double* cos);
/// sin and cos of one angle, with the bits of SinCos().
double Sin(double x);
double Cos(double x);

/// Whether every value is finite. Needed to detect divergence, because comparisons with NaN are false.
inline bool AllFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// Index of the largest score, the lowest index on ties: the predicted class. REQUIRES: f is not empty.
inline std::size_t ArgMax(std::span<const double> f) {
  return static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
}

/// Whether a model with scores f predicts another class than y, as `predict` of the estimators does. One
/// score predicts +1 if it is above 0, else -1. Several scores predict the class of the largest, the first of
/// them on a tie. NaN is wrong. While learning, the papers count f(x) = 0 as a mistake for either label.
inline bool PredictsWrong(std::span<const double> f, std::int32_t y) {
  if (f.size() > 1) return ArgMax(f) != static_cast<std::size_t>(y);
  return y > 0 ? !(f[0] > 0) : !(f[0] <= 0);
}

}  // namespace okbench
