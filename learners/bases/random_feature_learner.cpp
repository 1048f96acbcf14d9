#include "learners/bases/random_feature_learner.h"

#include <utility>

#include "learners/bases/one_vs_rest.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"

namespace okbench {

// Per row: a dot product with each frequency, then its cosine and sine, about 15 multiply-adds each. Scores
// and steps come on top.
Cost RandomFeatureCost(const Workload& work, std::size_t frequencies) {
  const auto d = static_cast<double>(frequencies), outputs = static_cast<double>(work.outputs);
  Cost cost;
  const double row = d * (work.entries + 30);
  cost.measuring_adds = row + 2 * d * outputs;
  cost.multiply_adds = static_cast<double>(work.examples) * (row + 4 * d * outputs);
  cost.bytes = frequencies * (3 * work.row_bytes + work.lookahead * work.value_bytes + 16 * work.outputs);
  return cost;
}

template <class T>
RandomFeatureLearner<T>::RandomFeatureLearner(const TargetLossOptions& options,
                                              const LearnerContext<T>& context,
                                              std::shared_ptr<const Examples<T>> components)
    : train_(*context.train),
      test_(context.test),
      kind_(train_.label_kind()),
      task_loss_(context.tree, context.graph),
      target_loss_(kind_ == LabelKind::kReal ? MakeLoss(options.target_loss, kind_, 0) : nullptr),
      width_(options.width),
      kernel_(context.kernel),
      map_(std::move(components), train_, context.lookahead),
      f_(kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(train_.classes()) : 1) {}

template <class T>
StepOutcome RandomFeatureLearner<T>::Step(std::uint32_t example) {
  return Score(example, map_.Row(example), true);
}

template <class T>
StepOutcome RandomFeatureLearner<T>::Predict(std::uint32_t example) {
  StepOutcome outcome;
  map_.ForEach(train_, std::span(&example, 1),
               [&](std::size_t, const double* z) { outcome = Score(example, z, false); });
  return outcome;
}

template <class T>
LossValue RandomFeatureLearner<T>::LossOf(double f, double y, double& slope) const {
  if (target_loss_ != nullptr)
    return target_loss_->Evaluate(std::span(&f, 1), y, width_, std::span(&slope, 1));
  const LossValue value = HingeOf(f, y, 1);
  slope = value.margin_error ? -y : 0;
  return value;
}

template <class T>
StepOutcome RandomFeatureLearner<T>::Score(std::uint32_t example, const double* z, bool learns) {
  Scores(z, f_);
  return OneVsRestOutcome(f_, train_.target(example), kind_, task_loss_, [&](std::size_t r, double y) {
    double slope = 0;
    const LossValue value = LossOf(f_[r], y, slope);
    if (learns) Learn(z, r, y, slope, train_.weight(example));
    return value;
  });
}

template <class T>
TestOutcome RandomFeatureLearner<T>::TestScores(
    const std::function<void(const double* z, std::span<double> f)>& scores_of) {
  const Examples<T>& set = *test_;
  const auto scores = [&](std::span<const std::uint32_t> rows, std::span<double> out) {
    map_.ForEach(set, rows, [&](std::size_t i, const double* z) {
      scores_of(z, out.subspan(i * f_.size(), f_.size()));
    });
  };
  if (kind_ != LabelKind::kReal) return CountMistakes(set, f_.size(), scores, task_loss_);
  return SumSquaredErrors(set, scores);
}

template class RandomFeatureLearner<float>;
template class RandomFeatureLearner<double>;

}  // namespace okbench
