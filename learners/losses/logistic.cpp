#include "learners/losses/logistic.h"

#include <cmath>

#include "learners/core/math.h"

namespace okbench {

LossValue LogisticLoss::Evaluate(std::span<const double> f, double y, double /*margin*/,
                                 std::span<double> xi) const {
  const double yf = y * f[0];
  xi[0] = -y / (1 + Exp(yf));
  return {.loss = LogOnePlusExp(-yf), .mistake = yf <= 0, .margin_error = yf <= 0, .violation = -yf};
}

void LogisticLoss::Curvature(std::span<const double> f, double /*y*/, double /*margin*/,
                             std::span<const double> v, std::span<double> chi) const {
  // e^a / (1 + e^a)^2 is even in a: exp(-|a|) cannot overflow.
  const double e = Exp(-std::fabs(f[0]));
  chi[0] = e / ((1 + e) * (1 + e)) * v[0];
}

}  // namespace okbench
