#include "learners/bases/functional_descent.h"

#include <numeric>

#include "learners/core/math.h"

namespace okbench {

template <class T, class Base>
bool FunctionalDescent<T, Base>::ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) {
  const std::size_t columns = this->columns();
  batch_.Load(batch);
  scores_.resize(columns * batch.size());
  batch_.Scores(expansion_.members(), expansion_.Gather(), columns, scores_);
  CountBatch(outcome);
  return AllFinite(scores_);
}

template <class T, class Base>
bool FunctionalDescent<T, Base>::Prepare() {
  all_.resize(batch_.size());
  std::iota(all_.begin(), all_.end(), 0U);
  return FillGram(all_);
}

template class FunctionalDescent<float, BinaryLearner<float>>;
template class FunctionalDescent<double, BinaryLearner<double>>;
template class FunctionalDescent<float, TaskLearner<float>>;
template class FunctionalDescent<double, TaskLearner<double>>;

}  // namespace okbench
