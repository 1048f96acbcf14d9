#include "learners/methods/liblinear/liblinear.h"

#include "learners/bases/binary_learner.h"
#include "learners/bases/linear_model.h"
#include "learners/core/sums.h"
#include "learners/methods/liblinear/solve.h"

namespace okbench::liblinear {
namespace {

template <class T>
Problem MakeProblem(const Examples<T>& set, std::span<const std::uint32_t> order, const Options& options) {
  Problem problem{.features = set.features(),
                  .cost = 1 / (options.lambda * static_cast<double>(order.size())),
                  .tolerance = options.tolerance};
  std::size_t entries = 0;
  for (const std::uint32_t i : order) entries += set.row(i).count;
  problem.indices.reserve(entries);
  problem.values.reserve(entries);
  for (const std::uint32_t i : order) {
    const RowView<T> row = set.row(i);
    for (std::size_t j = 0; j < row.count; ++j) {
      if (row.values[j] == 0) continue;
      problem.indices.push_back(static_cast<std::int32_t>(Feature(row, j)));
      problem.values.push_back(static_cast<double>(row.values[j]));
    }
    problem.ends.push_back(problem.values.size());
    problem.labels.push_back(set.label(i));
  }
  return problem;
}

}  // namespace

template <class T>
Liblinear<T>::Liblinear(const Options& options, const LearnerContext<T>& context)
    : options_(options),
      train_(*context.train),
      test_(context.test),
      weights_(static_cast<Eigen::Index>(context.train->features())) {
  RequireLinearBinary("liblinear", context);
  const Stopwatch watch;
  Prepare();
  overhead_seconds_ = watch.Seconds();
}

template <class T>
RoundOutcome Liblinear<T>::Round() {
  const Stopwatch watch;
  Problem problem = MakeProblem(train_, order_, options_);
  const Solution solution = Solve(problem);
  overhead_seconds_ += watch.Seconds() - solution.seconds;
  weights_ = Eigen::Map<const Eigen::VectorXd>(solution.weights.data(), weights_.size());
  RoundOutcome outcome{.finished = true, .converged = solution.converged, .whole_set = true};
  for (const std::uint32_t i : order_) CountScore(Product(train_.row(i), weights_), train_.label(i), outcome);
  return outcome;
}

template <class T>
void Liblinear<T>::Report(std::span<double> out) const {
  out[0] = SquaredNorm(weights_);
}

template <class T>
TestOutcome Liblinear<T>::Test() {
  return TestLinear(*test_, weights_);
}

template <class T>
TrainingOutcome Liblinear<T>::MeasureTraining() {
  return MeasureLinear<T>(train_, order_, weights_, options_.lambda);
}

template class Liblinear<float>;
template class Liblinear<double>;

}  // namespace okbench::liblinear
