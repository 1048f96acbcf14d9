#pragma once
// Multiclass soft margin loss with an arbitrary label distance.

#include <utility>

#include "learners/losses/loss.h"
#include "learners/outputs/label_distance.h"

namespace okbench {

/// l = max(0, max_{r != y} [rho Delta(y, r) + f_r] - f_y). y* is the most violating wrong class, the lowest
/// index among ties. xi_y = -1 and xi_{y*} = 1 where f_y < rho Delta(y, y*) + f_{y*} (<= if rho = 0), else 0.
/// Eqs. 19, 20 of svmd-2006 for Delta = 1, eqs. 28, 29 in general; rho is the margin.
class MulticlassHingeLoss final : public Loss {
 public:
  explicit MulticlassHingeLoss(LabelDistance distance) : distance_(std::move(distance)) {}
  std::size_t outputs() const override { return distance_.classes(); }
  LossValue Evaluate(std::span<const double> f, double y, double margin, std::span<double> xi) const override;

 private:
  LabelDistance distance_;
};

}  // namespace okbench
