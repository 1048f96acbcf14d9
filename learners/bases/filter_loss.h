#pragma once
// Loss of the kernel adaptive filters: e^2 / 2 with e = y - f(x), the prediction before the update.

#include <cmath>

#include "learners/losses/loss.h"

namespace okbench {

inline LossValue SquaredErrorOf(double f, double y) {
  const double e = y - f;
  return {.loss = e * e / 2, .violation = std::fabs(e)};
}

}  // namespace okbench
