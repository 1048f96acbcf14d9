#include "learners/losses/hinge.h"

#include <algorithm>

namespace okbench {

LossValue HingeLoss::Evaluate(std::span<const double> f, double y, double margin,
                              std::span<double> xi) const {
  const double yf = y * f[0];
  const bool inside = yf <= margin;
  xi[0] = inside ? -y : 0;
  return {.loss = std::max(0.0, margin - yf),
          .mistake = yf <= 0,
          .margin_error = inside,
          .violation = margin - yf};
}

}  // namespace okbench
