#include "boxes/learners/box_bcfw.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "learners/core/math.h"
#include "learners/methods/bcfw/bcfw.h"

namespace okbench::bcfw {

template <class T>
BoxBcfw::BoxBcfw(const Options& options, const LearnerContext<T>& context)
    : BoxLearner("bcfw", context),
      lambda_(options.lambda),
      gap_(options.tolerance),
      cap_(1 / (options.lambda * static_cast<double>(context.train->size()))),
      random_(context.seed),
      order_(context.train->size()),
      weights_(context.train->size()) {
  std::iota(order_.begin(), order_.end(), 0U);
}

template BoxBcfw::BoxBcfw(const Options&, const LearnerContext<float>&);
template BoxBcfw::BoxBcfw(const Options&, const LearnerContext<double>&);

void BoxBcfw::Step(std::uint32_t i, RoundOutcome& outcome) {
  ScoreByModel({&i, 1}, Purpose::kLearning, scored_);
  const std::span<const double> f = scored_.f, deltas = scored_.deltas;
  const std::size_t truth = f.size() - 1;
  const auto violator = CountScores(deltas, f, outcome);
  if (!AllFinite(f)) return;  // the loss is NaN
  std::vector<Weight>& a = weights_[i];
  // Direction d = C e_y^ - a_i over the outputs of a_i and y^. The truth is omitted: its g is 0.
  std::vector<Weight> d;
  for (const Weight& weight : a) d.push_back({weight.output, -weight.value});
  if (violator.output != truth) {
    const auto position =
        std::find_if(d.begin(), d.end(), [&](const Weight& w) { return w.output == violator.output; });
    if (position != d.end())
      position->value += cap_;
    else
      d.push_back({violator.output, cap_});
  }
  double along = 0, moved = 0;
  for (const Weight& part : d) {
    along += part.value * (deltas[part.output] + f[part.output] - f[truth]);
    moved += part.value;
  }
  if (!(along > 0)) return;
  // ||sum_y d_y psi(x_i, y)||^2, where the truth's d makes the sum of d zero.
  d.push_back({truth, -moved});
  double curvature = 0;
  for (std::size_t p = 0; p < d.size(); ++p)
    for (std::size_t q = 0; q <= p; ++q)
      curvature += (p == q ? 1 : 2) * d[p].value * d[q].value *
                   engine_.Kernel(kernel(), support_.histogram(support_.Row(i, d[p].output)),
                                  support_.histogram(support_.Row(i, d[q].output)));
  engine_.CountRequested(std::uint64_t{d.size()} * (d.size() + 1) / 2);
  const double gamma = curvature > along ? along / curvature : 1;
  d.pop_back();
  std::vector<Weight> after;
  double sum = 0;
  for (const Weight& part : d) {
    const auto position =
        std::find_if(a.begin(), a.end(), [&](const Weight& w) { return w.output == part.output; });
    // gamma = 1 ends exactly at the vertex.
    const double value = gamma == 1 ? (part.output == violator.output ? cap_ : 0)
                                    : (position != a.end() ? position->value : 0) + gamma * part.value;
    model_.Set(support_.Row(i, part.output), -value);
    if (value != 0) after.push_back({part.output, value});
    sum += value;
  }
  model_.Set(support_.Row(i, truth), sum);
  a = std::move(after);
}

void BoxBcfw::Measure() {
  double norm = 0, loss = 0, linear = 0;
  ForEachScored(Purpose::kLearning,
                [&](std::uint32_t i, std::span<const double> f, std::span<const double> deltas) {
                  const std::size_t truth = f.size() - 1;
                  loss += AllFinite(f) ? oracle_.MostViolating(truth, deltas, f).value
                                       : std::numeric_limits<double>::quiet_NaN();
                  for (const Weight& weight : weights_[i]) {
                    norm += weight.value * (f[truth] - f[weight.output]);
                    linear += weight.value * deltas[weight.output];
                  }
                });
  primal_ = 0.5 * norm + cap_ * loss;
  dual_ = linear - 0.5 * norm;
}

RoundOutcome BoxBcfw::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  Shuffle(std::span(order_), random_);
  for (const std::uint32_t i : order_) Step(i, outcome);
  Measure();
  outcome.converged = primal_ - dual_ <= gap_ * primal_;
  outcome.finished = outcome.converged;
  return outcome;
}

void BoxBcfw::Report(std::span<double> out) const {
  out[0] = lambda_ * primal_;
  out[1] = lambda_ * dual_;
  out[2] = primal_ > 0 ? (primal_ - dual_) / primal_ : 0;
  out[3] = static_cast<double>(oracle_calls());
  out[4] = static_cast<double>(engine_.boxes_scored());
}

}  // namespace okbench::bcfw
