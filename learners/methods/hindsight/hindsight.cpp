#include "learners/methods/hindsight/hindsight.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"
#include "learners/core/sums.h"
#include "learners/solvers/box_qp.h"
#include "learners/support/columns.h"

namespace okbench::hindsight {

template <class T>
Hindsight<T>::Hindsight(const Options& options, const LearnerContext<T>& context)
    : options_(options),
      engine_(context.kernel),
      train_(engine_.Prepare(*context.train)),
      test_(context.test ? engine_.Prepare(*context.test) : ExampleInputs<T>{}),
      blocks_(PackAll(engine_, train_, context.test)) {
  RequireLabels("hindsight", {LabelKind::kBinary}, context.train->label_kind());
}

template <class T>
void Hindsight<T>::Announce(std::span<const std::uint32_t> /*order*/) {
  const std::vector<std::uint32_t> all = AllRows(*train_.examples);
  const std::size_t n = all.size();
  MiniBatch<T> batch(engine_, train_);
  batch.Load(all);
  if (!batch.SignedGram(all))
    throw InvalidArgument("hindsight: a kernel value is not finite; scale the data");
  // The objective divided by c: 1/2 ||g||^2 + cap sum_i w_i max(0, rho - y_i g(x_i)).
  const double cap = 1 / (options_.c * static_cast<double>(n));
  const auto rows = static_cast<Eigen::Index>(n);
  // The weighted problem for a_i / w_i: both sides of every margin are multiplied by w_i.
  Eigen::ArrayXd weights(rows), y(rows);
  for (std::size_t i = 0; i < n; ++i) {
    weights[static_cast<Eigen::Index>(i)] = batch.weight(i);
    y[static_cast<Eigen::Index>(i)] = batch.label(i);
  }
  const Eigen::ArrayXd margins = options_.margin * weights;
  Eigen::ArrayXd a(rows);
  BoxQpSolver<T> solver;
  const QpResult result = solver.Solve(batch.gram(), margins, cap, options_.tolerance, a);
  if (!result.converged)
    throw InvalidArgument("hindsight: the solver did not reach its tolerance; raise tolerance or c");
  gap_ = options_.c * result.gap;
  a *= weights;
  const Eigen::ArrayXd reached = (margins - solver.gradient()) / weights;  // y_i g(x_i)
  coefficients_ = y * a;
  scores_ = y * reached;
  squared_norm_ = Dot(a, reached);
  support_ = static_cast<std::size_t>((a != 0).count());
}

template <class T>
StepOutcome Hindsight<T>::Step(std::uint32_t example) {
  score_ = score(example);
  const double margin = train_.examples->target(example) * score_;
  const double loss = std::max(0.0, options_.margin - margin);
  risk_sum_ += loss + options_.c / 2 * squared_norm_;
  return {.loss = loss,
          .mistake = margin <= 0,
          .margin_error = loss > 0,
          .violation = options_.margin - margin,
          .scores = {&score_, 1}};
}

template <class T>
void Hindsight<T>::Report(std::span<double> out) const {
  out[0] = squared_norm_;
  out[1] = risk_sum_;
  out[2] = gap_;
}

template <class T>
TestOutcome Hindsight<T>::Test() {
  const Examples<T>& set = *test_.examples;
  TestOutcome outcome{.examples = set.size()};
  std::vector<double> columns(coefficients_.begin(), coefficients_.end());
  columns.resize(blocks_.slots(), 0.0);
  double losses = 0;
  const auto scores = [&](auto rows, auto out) {
    EvaluateColumns(engine_, blocks_, test_, rows, columns.data(), columns.size(), 1, 1.0,
                    Purpose::kMeasuring, out);
  };
  ForEachScored(AllRows(set), 1, scores, [&](std::size_t i, std::span<double> f) {
    const double margin = set.target(i) * f[0];
    outcome.finite = outcome.finite && AllFinite(f);
    outcome.AddScores(f);
    outcome.mistakes += PredictsWrong(f, set.label(i)) ? 1 : 0;
    losses += std::max(0.0, options_.margin - margin);
  });
  outcome.mean_loss = losses / static_cast<double>(set.size());
  outcome.regularised_risk = *outcome.mean_loss + options_.c / 2 * squared_norm_;
  return outcome;
}

template class Hindsight<float>;
template class Hindsight<double>;

}  // namespace okbench::hindsight
