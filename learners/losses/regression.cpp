#include "learners/losses/regression.h"

#include <algorithm>
#include <cmath>

namespace okbench {

LossValue SquaredLoss::Evaluate(std::span<const double> f, double y, double /*width*/,
                                std::span<double> xi) const {
  const double d = y - f[0];
  xi[0] = -d;
  return {.loss = d * d / 2, .violation = std::fabs(d)};
}

void SquaredLoss::Curvature(std::span<const double> /*f*/, double /*y*/, double /*width*/,
                            std::span<const double> v, std::span<double> chi) const {
  chi[0] = v[0];
}

LossValue EpsInsensitiveLoss::Evaluate(std::span<const double> f, double y, double width,
                                       std::span<double> xi) const {
  const double d = y - f[0];
  const double violation = std::fabs(d) - width;
  const bool outside = violation > 0;
  xi[0] = outside ? -std::copysign(1.0, d) : 0;
  return {.loss = std::max(0.0, violation), .margin_error = outside, .violation = violation};
}

LossValue HuberLoss::Evaluate(std::span<const double> f, double y, double width, std::span<double> xi) const {
  const double d = y - f[0];
  const double size = std::fabs(d);
  const bool outside = size > width;
  xi[0] = outside ? -std::copysign(1.0, d) : -d / width;
  return {.loss = outside ? size - width / 2 : d * d / (2 * width),
          .margin_error = outside,
          .violation = size - width};
}

void HuberLoss::Curvature(std::span<const double> f, double y, double width, std::span<const double> v,
                          std::span<double> chi) const {
  chi[0] = std::fabs(y - f[0]) > width ? 0 : v[0] / width;
}

}  // namespace okbench
