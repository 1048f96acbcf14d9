#include "learners/core/math.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/methods/mira/mira.h"

namespace okbench::mira {

double MiraUpdate::Margin(std::span<const double> f, std::int32_t y) const {
  const auto label = static_cast<std::size_t>(y);
  double other = label == 0 ? f[1] : f[0];  // REQUIRES: at least two classes
  for (std::size_t r = 0; r < f.size(); ++r)
    if (r != label && f[r] > other) other = f[r];
  return f[label] - other;
}

bool MiraUpdate::Mistake(std::span<const double> f, std::int32_t y) const {
  return ArgMax(f) != static_cast<std::size_t>(y);
}

void MiraUpdate::Coefficients(std::span<const double> f, std::int32_t y, double self, std::span<double> tau) {
  const auto label = static_cast<std::size_t>(y);
  for (std::size_t r = 0; r < f.size(); ++r) b_[r] = f[r] - (r == label ? beta_ : 0);
  solver_.Solve(self, b_, label, 1, tau);
}

LearnerInfo Describe() {
  return DefineBudgetLearner(
      {.name = "mira",
       .title = "MIRA on a budget (multiclass)",
       .paper = "budget-2003 sec. 4; Crammer and Singer 2003",
       .weights = true,
       .labels = {LabelKind::kMulticlass},
       .update =
           "M_r <- M_r + tau_r x_t, the least change that gives margin beta, when the margin is <= beta",
       .estimator = {.name = "MIRA"},
       .revision = 2},
      {.beta = 0.01}, [](const BudgetOptions& options, const auto& train) {
        return MiraUpdate(static_cast<std::size_t>(train.classes()), options.beta);
      });
}

}  // namespace okbench::mira
