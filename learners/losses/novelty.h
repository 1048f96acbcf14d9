#pragma once
// Novelty detection loss.

#include "learners/losses/loss.h"

namespace okbench {

/// l = max(0, rho - f). xi = -1 where f < rho, else 0 (eq. 26 of svmd-2006 with margin rho). Labels are
/// ignored. A mistake is an example flagged as novel, f < rho.
class NoveltyLoss final : public Loss {
 public:
  std::size_t outputs() const override { return 1; }
  LossValue Evaluate(std::span<const double> f, double y, double margin, std::span<double> xi) const override;
};

}  // namespace okbench
