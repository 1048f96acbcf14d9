#include "learners/losses/multiclass_hinge.h"

#include <algorithm>

#include "learners/core/math.h"

namespace okbench {

LossValue MulticlassHingeLoss::Evaluate(std::span<const double> f, double y, double margin,
                                        std::span<double> xi) const {
  const auto label = static_cast<std::size_t>(y);
  std::size_t worst = label == 0 ? 1 : 0;
  double highest = margin * distance_(label, worst) + f[worst];
  for (std::size_t r = worst + 1; r < f.size(); ++r) {
    if (r == label) continue;
    const double score = margin * distance_(label, r) + f[r];
    if (score > highest) {
      highest = score;
      worst = r;
    }
  }
  std::fill(xi.begin(), xi.end(), 0.0);
  // At margin 0 equality counts too, as in HingeLoss: otherwise f = 0 never changes.
  const bool inside = margin > 0 ? f[label] < highest : f[label] <= highest;
  if (inside) {
    xi[label] = -1;
    xi[worst] = 1;
  }
  return {.loss = std::max(0.0, highest - f[label]),
          .mistake = ArgMax(f) != label,
          .margin_error = inside,
          .distance = distance_(label, worst),
          .violation = highest - f[label]};
}

}  // namespace okbench
