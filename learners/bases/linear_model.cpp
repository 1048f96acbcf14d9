#include "learners/bases/linear_model.h"

#include "base/error.h"
#include "learners/bases/binary_learner.h"
#include "learners/core/math.h"
#include "learners/core/sums.h"

namespace okbench {

Cost LinearCost(const Workload& work, double passes) {
  // An inner product is one dependent chain of additions: slower by about this factor than sums over support
  // vectors.
  constexpr double kChain = 12;
  Cost cost;
  cost.multiply_adds = kChain * passes * static_cast<double>(work.examples) * work.entries;
  cost.measuring_adds = kChain * work.entries;
  cost.bytes = 8 * work.row_bytes + 16 * work.training;
  return cost;
}

template <class T>
void RequireLinearBinary(const char* method, const LearnerContext<T>& context) {
  if (context.kernel.kind != KernelKind::kLinear)
    throw InvalidArgument(std::string(method) + " is a linear method: kernel.name must be linear");
  if (context.kernel.bias != 0)
    throw InvalidArgument(std::string(method) + " has no intercept: kernel.bias must be 0");
  RequireLabels(method, {LabelKind::kBinary}, context.train->label_kind());
}

template <class T>
TestOutcome TestLinear(const Examples<T>& set, const Eigen::VectorXd& w) {
  TestOutcome outcome{.examples = set.size()};
  outcome.finite = w.allFinite();
  for (std::size_t i = 0; i < set.size(); ++i) {
    outcome.scores.push_back(Product(set.row(i), w));
    outcome.mistakes += PredictsWrong({&outcome.scores.back(), 1}, set.label(i)) ? 1 : 0;
  }
  return outcome;
}

template <class T>
TrainingOutcome MeasureLinear(const Examples<T>& set, std::span<const std::uint32_t> rows,
                              const Eigen::VectorXd& w, double lambda) {
  TrainingOutcome outcome;
  for (const std::uint32_t i : rows) {
    const double loss = UnitHingeLoss(set.label(i) * Product(set.row(i), w));
    outcome.mean_loss += loss;
    outcome.nonzero_loss += loss > 0 ? 1 : 0;
  }
  outcome.mean_loss /= static_cast<double>(rows.size());
  outcome.objective = lambda / 2 * SquaredNorm(w) + outcome.mean_loss;
  return outcome;
}

template void RequireLinearBinary(const char*, const LearnerContext<float>&);
template void RequireLinearBinary(const char*, const LearnerContext<double>&);
template TestOutcome TestLinear(const Examples<float>&, const Eigen::VectorXd&);
template TestOutcome TestLinear(const Examples<double>&, const Eigen::VectorXd&);
template TrainingOutcome MeasureLinear(const Examples<float>&, std::span<const std::uint32_t>,
                                       const Eigen::VectorXd&, double);
template TrainingOutcome MeasureLinear(const Examples<double>&, std::span<const std::uint32_t>,
                                       const Eigen::VectorXd&, double);

}  // namespace okbench
