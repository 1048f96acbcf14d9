#include "learners/methods/sampled_cuts/sampled_cuts.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "learners/core/math.h"
#include "learners/support/columns.h"

namespace okbench::sampled_cuts {

template <class T>
SampledCuts<T>::SampledCuts(const Options& options, const LearnerContext<T>& context)
    : BinaryLearner<T>("sampled-cuts", context, 1),
      options_(options),
      batch_(std::max<std::size_t>(1, context.batch)),
      random_(context.seed),
      blocks_(PackAll(this->engine_, this->train_, static_cast<const RowSource<T>*>(nullptr))),
      model_(options.lambda, options.tolerance, context.train->size()),
      scores_(context.train->size(), 0.0),
      coefficients_(context.train->size(), 0.0),
      all_(AllRows(*context.train)) {}

template <class T>
RoundOutcome SampledCuts<T>::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  violators_.clear();
  double weighted_loss = 0;  // sum of (w_i - 1) loss_i
  for (std::size_t i = 0; i < this->size(); ++i) {
    CountScore(scores_[i], this->label(i), outcome);
    weighted_loss += (this->train_.examples->weight(i) - 1) * std::max(0.0, 1 - this->label(i) * scores_[i]);
    if (this->label(i) * scores_[i] < 1) violators_.push_back(static_cast<std::uint32_t>(i));
  }
  outcome.whole_set = true;
  outcome.examples = drawn_ = 0;
  this->engine_.CountRequested(all_, support_);
  const double risk = outcome.mean_loss + weighted_loss / static_cast<double>(this->size());
  primal_ = options_.lambda / 2 * squared_norm_ + risk;
  if (violators_.empty() || model_.Converged(risk)) {
    outcome.finished = outcome.converged = true;
    return outcome;
  }
  const std::size_t violating = violators_.size();
  drawn_ = std::min(batch_, violating);
  DrawToFront(std::span(violators_), drawn_, random_);
  violators_.resize(drawn_);
  outcome.examples = drawn_;
  AddPlane(violating);
  if (!AllFinite(model_.planes().back().scores)) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  model_.Solve();
  Assemble();
  return outcome;
}

template <class T>
void SampledCuts<T>::AddPlane(std::size_t violating) {
  const auto n = static_cast<double>(this->size());
  // The mean weight of the violators is estimated by that of the drawn ones.
  double weights = 0;
  for (const std::uint32_t i : violators_) weights += this->train_.examples->weight(i);
  const double share = static_cast<double>(violating) / n;
  const double offset = share * (weights / static_cast<double>(drawn_));
  Plane plane;
  plane.examples = violators_;
  for (const std::uint32_t i : violators_)
    plane.coefficients.push_back(share / static_cast<double>(drawn_) * this->train_.examples->weight(i) *
                                 this->label(i));
  plane.scores.assign(blocks_.slots(), 0.0);
  this->engine_.Accumulate(blocks_, this->train_, plane.examples, plane.coefficients.data(), 1,
                           Purpose::kLearning, false, plane.scores.data(), plane.scores.size());
  model_.Add(std::move(plane), offset, this->engine_, [](const Plane& added, const Plane& member) {
    double product = 0;
    for (std::size_t r = 0; r < added.examples.size(); ++r)
      product += added.coefficients[r] * member.scores[added.examples[r]];
    return product;
  });
}

// Recomputes the scores, coefficients and norm of f from the new weights.
template <class T>
void SampledCuts<T>::Assemble() {
  std::fill(scores_.begin(), scores_.end(), 0.0);
  std::fill(coefficients_.begin(), coefficients_.end(), 0.0);
  model_.ForEachPlane([&](const Plane& plane, double share) {
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += share * plane.scores[i];
    for (std::size_t r = 0; r < plane.examples.size(); ++r)
      coefficients_[plane.examples[r]] += share * plane.coefficients[r];
  });
  squared_norm_ = 0;
  support_.clear();
  for (const std::uint32_t i : all_) {
    squared_norm_ += coefficients_[i] * scores_[i];
    if (coefficients_[i] != 0) support_.push_back(i);
  }
}

template <class T>
void SampledCuts<T>::Report(std::span<double> out) const {
  out[0] = primal_;
  out[1] = model_.slack();
  out[2] = static_cast<double>(planes().size());
  out[3] = static_cast<double>(drawn_);
}

template class SampledCuts<float>;
template class SampledCuts<double>;

}  // namespace okbench::sampled_cuts
