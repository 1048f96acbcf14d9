#pragma once
// Binary logistic loss.

#include "learners/losses/loss.h"

namespace okbench {

/// l = log(1 + e^{-yf}), xi = -y / (1 + e^{yf}), chi = rho v with rho = e^{yf} / (1 + e^{yf})^2
/// (eqs. 21, 22, 39, 46 of svmd-2006). The margin is ignored: a margin error is a mistake.
class LogisticLoss final : public Loss {
 public:
  std::size_t outputs() const override { return 1; }
  LossValue Evaluate(std::span<const double> f, double y, double margin, std::span<double> xi) const override;
  void Curvature(std::span<const double> f, double y, double margin, std::span<const double> v,
                 std::span<double> chi) const override;
  bool curved() const override { return true; }
};

}  // namespace okbench
