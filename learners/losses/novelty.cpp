#include "learners/losses/novelty.h"

#include <algorithm>

namespace okbench {

LossValue NoveltyLoss::Evaluate(std::span<const double> f, double /*y*/, double margin,
                                std::span<double> xi) const {
  const bool inside = f[0] < margin;
  xi[0] = inside ? -1 : 0;
  return {.loss = std::max(0.0, margin - f[0]),
          .mistake = inside,
          .margin_error = inside,
          .violation = margin - f[0]};
}

}  // namespace okbench
