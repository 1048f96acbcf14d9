#include "learners/methods/pegasos/pegasos.h"

#include <cmath>
#include <limits>

#include "learners/core/math.h"

namespace okbench::pegasos {

template <class T>
Pegasos<T>::Pegasos(const Options& options, const LearnerContext<T>& context)
    : BinaryLearner<T>("pegasos", context, options.average ? 2 : 1),
      options_(options),
      batch_(this->engine_, this->train_),
      expansion_(context.train->size(), options.average ? 2 : 1) {}

template <class T>
void Pegasos<T>::Scale(double factor) {
  expansion_.Scale(0, factor);
  this->ScaleScores(0, factor);
}

template <class T>
RoundOutcome Pegasos<T>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  const std::size_t k = batch.size();
  const std::size_t columns = options_.average ? 2 : 1;
  batch_.Load(batch);
  scores_.resize(columns * k);
  batch_.Scores(expansion_.members(), expansion_.Gather(), columns, scores_);

  RoundOutcome outcome;
  const auto steps = static_cast<double>(t_);
  const double decay = 1 - 1 / steps;
  step_size_ = 1 / (options_.lambda * steps);
  violators_.clear();
  double along = 0;  // sum over V of w_i y_i f(x_i)
  for (std::size_t i = 0; i < k; ++i) {
    const double y = batch_.label(i);
    CountScore(scores_[(columns - 1) * k + i], y, outcome);
    if (!(y * scores_[i] < 1)) continue;
    violators_.push_back(static_cast<std::uint32_t>(i));
    along += batch_.signed_weight(i) * scores_[i];
  }
  if (!AllFinite(scores_)) return outcome;  // CountScore has made the loss NaN

  const double weight = step_size_ / static_cast<double>(k);
  Scale(decay);
  for (const std::uint32_t i : violators_)
    expansion_.Add(0, batch_.example(i), weight * batch_.signed_weight(i));
  if (options_.projection) {
    if (!batch_.SignedGram(violators_)) {
      outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
      return outcome;
    }
    double square = 0;
    const auto gram = batch_.gram();
    for (Eigen::Index r = 0; r < gram.rows(); ++r)
      for (const std::uint32_t j : violators_) square += static_cast<double>(gram(r, j));
    squared_norm_ = decay * decay * squared_norm_ + 2 * decay * weight * along + weight * weight * square;
    const double largest = 1 / options_.lambda;
    if (squared_norm_ > largest) {
      Scale(std::sqrt(largest / squared_norm_));
      squared_norm_ = largest;
    }
  }
  if (options_.average) {
    const double rho = t_ == 1 ? 1 : options_.decay / (steps + options_.decay + 1);
    expansion_.Mix(1, 1 - rho, 0, rho);
    this->MixScores(1, 1 - rho, 0, rho);
  }
  return outcome;
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

template <class T>
void Pegasos<T>::OnRowsAppended() {
  this->PrepareRows();
  expansion_.Restart(this->size());
}

template <class T>
void Pegasos<T>::Serialize(Archive& archive) {
  this->engine_.Serialize(archive);
  expansion_.Serialize(archive);
  archive.Field("violators", violators_);
  archive.Field("t", t_);
  archive.Field("squared_norm", squared_norm_);
  archive.Field("step_size", step_size_);
}

template class Pegasos<float>;
template class Pegasos<double>;

}  // namespace okbench::pegasos
