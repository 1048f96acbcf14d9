#include "learners/bases/functional_descent.h"

#include <limits>
#include <numeric>

#include "learners/core/math.h"

namespace okbench {

template <class Base>
RoundOutcome DescentRounds<Base>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  const std::size_t k = batch.size();
  RoundOutcome outcome;
  if (!ScoreBatch(batch, outcome)) return outcome;
  lambda_ = schedule_.At(t_, k, this->size());
  bound_ = Residuals() / static_cast<double>(k) / lambda_;
  if (!Prepare()) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  const QpResult result = Solve(lambda_, 1 / (lambda_ * static_cast<double>(k)));
  solver_steps_ = result.steps;
  relative_gap_ = result.objective + result.gap > 0 ? result.gap / (result.objective + result.gap) : 0;
  const Products products = AddUpdate();
  update_norm_ = products.norm;
  squared_norm_ += 2 * products.along + update_norm_;
  return outcome;
}

template <class Base>
void DescentRounds<Base>::KeepRounds(State& state) {
  state.Field("t", t_);
  state.Field("lambda", lambda_);
  state.Field("update_norm", update_norm_);
  state.Field("bound", bound_);
  state.Field("relative_gap", relative_gap_);
  state.Field("squared_norm", squared_norm_);
  state.Field("solver_steps", solver_steps_);
}

template <class Base>
void DescentRounds<Base>::Report(std::span<double> out) const {
  out[0] = lambda_;
  out[1] = update_norm_;
  out[2] = bound_;
  out[3] = squared_norm_;
  out[4] = relative_gap_;
  out[5] = static_cast<double>(solver_steps_);
}

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

template class DescentRounds<BinaryLearner<float>>;
template class DescentRounds<BinaryLearner<double>>;
template class DescentRounds<TaskLearner<float>>;
template class DescentRounds<TaskLearner<double>>;
template class DescentRounds<BoxLearner>;
template class FunctionalDescent<float, BinaryLearner<float>>;
template class FunctionalDescent<double, BinaryLearner<double>>;
template class FunctionalDescent<float, TaskLearner<float>>;
template class FunctionalDescent<double, TaskLearner<double>>;

}  // namespace okbench
