#include "learners/support/followed_scores.h"

#include "learners/support/columns.h"

namespace okbench {

template <class T>
FollowedScores<T>::FollowedScores(KernelEngine<T>& engine, const Inputs<T>& training,
                                  const Inputs<T>& followed, std::size_t expansions, Purpose purpose)
    : engine_(engine),
      training_(training),
      followed_(followed),
      expansions_(expansions),
      purpose_(purpose),
      applied_(expansions * training.examples->size(), 0.0),
      stride_(PaddedColumn(followed.examples->size())) {
  scores_.assign(expansions_ * stride_, 0.0);
}

template <class T>
void FollowedScores<T>::Update(std::span<const double> coefficients) {
  if (!blocks_) blocks_ = PackAll(engine_, followed_, training_.examples);
  const std::size_t examples = training_.examples->size();
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
std::span<const double> FollowedScores<T>::Scores(std::size_t c) const {
  return {scores_.data() + c * stride_, size()};
}

template class FollowedScores<float>;
template class FollowedScores<double>;

}  // namespace okbench
