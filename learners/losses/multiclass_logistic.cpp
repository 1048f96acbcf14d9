#include "learners/losses/multiclass_logistic.h"

#include <algorithm>

#include "learners/core/math.h"
#include "learners/losses/multiclass_hinge.h"

namespace okbench {
namespace {

// Writes p_r to `out`, shifted by the largest score to avoid overflow. Returns log sum_r e^{f_r}.
double SoftMax(std::span<const double> f, std::span<double> out) {
  const double highest = f[ArgMax(f)];
  double sum = 0;
  for (std::size_t r = 0; r < f.size(); ++r) sum += out[r] = Exp(f[r] - highest);
  for (double& p : out) p /= sum;
  return highest + Log(sum);
}

}  // namespace

LossValue MulticlassLogisticLoss::Evaluate(std::span<const double> f, double y, double /*margin*/,
                                           std::span<double> xi) const {
  const auto label = static_cast<std::size_t>(y);
  const double log_sum = SoftMax(f, xi);
  xi[label] -= 1;
  const bool mistake = ArgMax(f) != label;
  return {.loss = std::max(0.0, log_sum - f[label]),
          .mistake = mistake,
          .margin_error = mistake,
          .violation = log_sum - f[label]};
}

void MulticlassLogisticLoss::Curvature(std::span<const double> f, double /*y*/, double /*margin*/,
                                       std::span<const double> v, std::span<double> chi) const {
  SoftMax(f, chi);
  double pv = 0;
  for (std::size_t r = 0; r < f.size(); ++r) pv += chi[r] * v[r];
  for (std::size_t r = 0; r < f.size(); ++r) chi[r] *= v[r] - pv;
}

}  // namespace okbench
