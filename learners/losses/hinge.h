#pragma once
// Binary soft margin (hinge) loss.

#include "learners/losses/loss.h"

namespace okbench {

/// l = max(0, rho - y f). xi = -y where y f <= rho, else 0. Eq. 17 of svmd-2006 with margin rho. At the kink
/// it uses the derivative of norma-2001, which makes the perceptron the case rho = 0.
class HingeLoss final : public Loss {
 public:
  std::size_t outputs() const override { return 1; }
  LossValue Evaluate(std::span<const double> f, double y, double margin, std::span<double> xi) const override;
};

}  // namespace okbench
