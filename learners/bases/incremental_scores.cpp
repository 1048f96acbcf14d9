#include "learners/bases/incremental_scores.h"

#include "learners/support/columns.h"

namespace okbench {
namespace {

template <class Values>
std::span<double> Column(Values& values, std::size_t c, std::size_t stride) {
  return {values.data() + c * stride, stride};
}

}  // namespace

template <class T>
IncrementalScores<T>::IncrementalScores(KernelEngine<T>& engine, const Inputs<T>& training,
                                        const Inputs<T>& followed, std::size_t expansions, Purpose purpose)
    : engine_(engine), training_(training), followed_(followed), expansions_(expansions), purpose_(purpose) {
  Restart();
}

template <class T>
void IncrementalScores<T>::Restart() {
  blocks_.reset();
  applied_.assign(expansions_ * training_.rows->size(), 0.0);
  stride_ = PaddedColumn(followed_.rows->size());
  scores_.assign(expansions_ * stride_, 0.0);
}

template <class T>
void IncrementalScores<T>::Update(std::span<const double> coefficients) {
  if (!blocks_) blocks_ = PackAll(engine_, followed_, training_.rows);
  const std::size_t examples = training_.rows->size();
  changed_.clear();
  for (std::size_t i = 0; i < examples; ++i) {
    bool changed = false;
    for (std::size_t c = 0; c < expansions_; ++c)
      changed = changed || coefficients[c * examples + i] != applied_[c * examples + i];
    if (changed) changed_.push_back(static_cast<std::uint32_t>(i));
  }
  changes_.resize(expansions_ * changed_.size());
  for (std::size_t c = 0; c < expansions_; ++c)
    for (std::size_t r = 0; r < changed_.size(); ++r) {
      double& applied = applied_[c * examples + changed_[r]];
      changes_[c * changed_.size() + r] = coefficients[c * examples + changed_[r]] - applied;
      applied = coefficients[c * examples + changed_[r]];
    }
  engine_.Accumulate(*blocks_, training_, changed_, changes_.data(), expansions_, purpose_, true,
                     scores_.data(), stride_);
}

template <class T>
void IncrementalScores<T>::Scale(std::size_t c, double factor) {
  if (!blocks_) return;  // all scores are still 0
  for (double& value : Column(applied_, c, training_.rows->size())) value *= factor;
  for (double& value : Column(scores_, c, stride_)) value *= factor;
}

template <class T>
void IncrementalScores<T>::Mix(std::size_t c, double keep, std::size_t other, double share) {
  if (!blocks_) return;
  const auto mix = [&](auto& values, std::size_t stride) {
    const auto to = Column(values, c, stride), from = Column(values, other, stride);
    for (std::size_t i = 0; i < stride; ++i) to[i] = keep * to[i] + share * from[i];
  };
  mix(applied_, training_.rows->size());
  mix(scores_, stride_);
}

template <class T>
std::span<const double> IncrementalScores<T>::Scores(std::size_t c) const {
  return {scores_.data() + c * stride_, size()};
}

template class IncrementalScores<float>;
template class IncrementalScores<double>;

}  // namespace okbench
