#pragma once
// Losses of regression (norma-2001, section 3), with d = y - f(x) and a real target y.
//
// The nu-trick adapts the width of the eps-insensitive loss and of Huber's loss; Huber's loss then gives a
// trimmed-mean estimator. A margin error is an example outside the width. There are no mistakes.

#include "learners/losses/loss.h"

namespace okbench {

/// l = d^2/2, xi = -d, chi = v. The width is ignored.
class SquaredLoss final : public Loss {
 public:
  std::size_t outputs() const override { return 1; }
  LossValue Evaluate(std::span<const double> f, double y, double width, std::span<double> xi) const override;
  void Curvature(std::span<const double> f, double y, double width, std::span<const double> v,
                 std::span<double> chi) const override;
  bool curved() const override { return true; }
};

/// l = max(0, |d| - eps), xi = -sign(d) where |d| > eps, else 0 (eq. 18 of norma-2001).
class EpsInsensitiveLoss final : public Loss {
 public:
  std::size_t outputs() const override { return 1; }
  LossValue Evaluate(std::span<const double> f, double y, double width, std::span<double> xi) const override;
};

/// Huber's robust loss: l = |d| - sigma/2, xi = -sign(d) where |d| > sigma; l = d^2/(2 sigma), xi = -d/sigma,
/// chi = v/sigma elsewhere (eqs. 19 and 20 of norma-2001). sigma > 0.
class HuberLoss final : public Loss {
 public:
  std::size_t outputs() const override { return 1; }
  LossValue Evaluate(std::span<const double> f, double y, double width, std::span<double> xi) const override;
  void Curvature(std::span<const double> f, double y, double width, std::span<const double> v,
                 std::span<double> chi) const override;
  bool curved() const override { return true; }
};

}  // namespace okbench
