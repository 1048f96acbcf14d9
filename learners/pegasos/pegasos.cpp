#include "learners/pegasos/pegasos.h"

#include <cmath>

#include "learners/core/math.h"

namespace okbench::pegasos {
namespace {

constexpr double kSmallScale = 1e-100;  // lazy factors below are multiplied into the coefficients

}  // namespace

template <class T>
Pegasos<T>::Pegasos(const Options& options, const LearnerContext<T>& context)
    : BinaryLearner<T>("pegasos", context, options.average ? 2 : 1),
      options_(options),
      batch_(this->engine_, this->train_),
      expansion_(context.train->size(), options.average ? 2 : 1) {}

template <class T>
typename BinaryLearner<T>::Mixture Pegasos<T>::Mix() const {
  if (!options_.average) return {.factor = {scale_, 0}, .bias = 0};
  return {.factor = {q_, p_}, .bias = 0};
}

template <class T>
double Pegasos<T>::predicting_coefficient(std::uint32_t i) const {
  if (!options_.average) return coefficient(i);
  return q_ * expansion_.coefficient(0, i) + p_ * expansion_.coefficient(1, i);
}

template <class T>
RoundOutcome Pegasos<T>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  const std::size_t k = batch.size();
  const std::size_t columns = options_.average ? 2 : 1;
  const auto mixture = Mix();
  batch_.Load(batch);
  scores_.resize(columns * k);
  batch_.Scores(expansion_.members(), expansion_.Gather(), columns, scores_);

  RoundOutcome outcome;
  const auto steps = static_cast<double>(t_);
  const double decay = t_ == 1 ? 1 : 1 - 1 / steps;  // f = 0 at t = 1, so that its factor 0 is of no matter
  step_size_ = 1 / (options_.lambda * steps);
  violators_.clear();
  double along = 0;  // sum over V of y_i f(x_i)
  for (std::size_t i = 0; i < k; ++i) {
    const double f = scale_ * scores_[i];
    const double y = batch_.label(i);
    CountScore(options_.average ? mixture.factor[0] * scores_[i] + mixture.factor[1] * scores_[k + i] : f, y,
               outcome);
    if (!(y * f < 1)) continue;
    violators_.push_back(static_cast<std::uint32_t>(i));
    along += y * f;
  }
  if (!AllFinite(scores_)) return outcome;  // the loss tells

  const double weight = step_size_ / static_cast<double>(k);
  scale_ *= decay;
  for (const std::uint32_t i : violators_) {
    const double change = weight * batch_.label(i) / scale_;
    expansion_.Add(0, batch_.example(i), change);
    if (options_.average) expansion_.Add(1, batch_.example(i), -(q_ / p_) * change);
  }
  if (options_.projection) {
    batch_.SignedGram(violators_);
    double square = 0;
    for (std::size_t r = 0; r < violators_.size(); ++r)
      for (const std::uint32_t j : violators_) square += static_cast<double>(batch_.gram_row(r)[j]);
    squared_norm_ = decay * decay * squared_norm_ + 2 * decay * weight * along + weight * weight * square;
    const double largest = 1 / options_.lambda;
    if (squared_norm_ > largest) {
      scale_ *= std::sqrt(largest / squared_norm_);
      squared_norm_ = largest;
    }
  }
  if (options_.average && t_ == 1) {
    q_ = scale_;  // fbar = f; h is still 0
  } else if (options_.average) {
    const double rho = options_.decay / (steps + options_.decay + 1);
    p_ *= 1 - rho;
    q_ = (1 - rho) * q_ + rho * scale_;
  }
  Renormalise();
  return outcome;
}

template <class T>
void Pegasos<T>::Renormalise() {
  if (scale_ < kSmallScale && scale_ > 0) {
    expansion_.Scale(0, scale_);
    q_ /= scale_;
    scale_ = 1;
  }
  if (p_ < kSmallScale) {
    expansion_.Scale(1, p_);
    p_ = 1;
  }
}

template <class T>
std::vector<std::string> Pegasos<T>::Columns() const {
  std::vector<std::string> names = {"step_size", "violators"};
  if (options_.projection) names.emplace_back("squared_norm");
  return names;
}

template <class T>
void Pegasos<T>::Report(std::span<double> out) const {
  out[0] = step_size_;
  out[1] = static_cast<double>(violators_.size());
  if (options_.projection) out[2] = squared_norm_;
}

template class Pegasos<float>;
template class Pegasos<double>;

}  // namespace okbench::pegasos
