#pragma once
// Multiclass logistic loss.

#include "learners/losses/loss.h"

namespace okbench {

/// l = log sum_r e^{f_r} - f_y, xi_r = p_r - [r = y], chi = p * v - p (p . v), with p_r = e^{f_r} / sum_s
/// e^{f_s} (eqs. 23 to 25, 41, 47 of svmd-2006). The margin is ignored: a margin error is a mistake.
class MulticlassLogisticLoss final : public Loss {
 public:
  explicit MulticlassLogisticLoss(std::size_t classes) : classes_(classes) {}
  std::size_t outputs() const override { return classes_; }
  LossValue Evaluate(std::span<const double> f, double y, double margin, std::span<double> xi) const override;
  void Curvature(std::span<const double> f, double y, double margin, std::span<const double> v,
                 std::span<double> chi) const override;
  bool curved() const override { return true; }

 private:
  std::size_t classes_;
};

}  // namespace okbench
