#include "learners/losses/multiclass_hinge.h"
#include "learners/mira/mira.h"

namespace okbench::mira {

double MiraUpdate::Margin(std::span<const double> f, std::int32_t y) const {
  const auto label = static_cast<std::size_t>(y);
  double other = label == 0 ? f[1] : f[0];  // Examples have at least two classes
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

namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  const MiraUpdate update(static_cast<std::size_t>(context.train->classes()), values.Real("beta"));
  return MakeBudgetLearner(update, values, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "mira";
  info.title = "MIRA on a budget (multiclass)";
  info.paper = "budget-2003 sec. 4; Crammer and Singer 2003";
  info.update = "M_r <- M_r + tau_r x_t, the least change that gives margin beta, when the margin is <= beta";
  info.parameters = BudgetParameters(0.01);
  info.cost_model = BudgetCost;
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::mira
