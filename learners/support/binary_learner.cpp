#include "learners/support/binary_learner.h"

#include <algorithm>

#include "learners/core/error.h"

namespace okbench {

template <class T>
BinaryLearner<T>::BinaryLearner(const std::string& method, const LearnerContext<T>& context,
                                std::size_t expansions)
    : engine_(context.kernel, ledger_),
      train_(engine_.Prepare(*context.train)),
      // Without a test set an empty one stands here; Test() is not called then.
      test_(engine_.Prepare(context.test ? *context.test : *context.train)),
      expansions_(expansions),
      test_scores_(engine_, train_, test_, expansions, Purpose::kEvaluation),
      training_scores_(engine_, train_, train_, expansions, Purpose::kEvaluation) {
  if (context.train->label_kind() != LabelKind::kBinary)
    throw InvalidArgument(method + " needs binary labels, but the data has " +
                          std::to_string(context.train->classes()) +
                          " classes; data.positive says which of them become +1");
  const auto labels = context.train->labels();
  const auto positive = std::count(labels.begin(), labels.end(), 1);
  if (positive == 0 || static_cast<std::size_t>(positive) == labels.size())
    throw InvalidArgument(method + " needs examples of both classes, but all " +
                          std::to_string(labels.size()) + " training examples have the label " +
                          (positive == 0 ? "-1" : "+1"));
}

template <class T>
std::vector<double> BinaryLearner<T>::Follow(FollowedScores<T>& scores) const {
  scores.Update(Coefficients());
  const Mixture mixture = Mix();
  std::vector<double> f(scores.size(), mixture.bias);
  for (std::size_t c = 0; c < expansions_; ++c) {
    const auto column = scores.Scores(c);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += mixture.factor[c] * column[i];
  }
  return f;
}

template <class T>
TestOutcome BinaryLearner<T>::Test() {
  const std::vector<double> f = Follow(test_scores_);
  TestOutcome outcome{.examples = f.size(), .mistakes = 0};
  // Written so that a score that is not a number counts as a mistake.
  for (std::size_t i = 0; i < f.size(); ++i) outcome.mistakes += test_.examples->label(i) * f[i] > 0 ? 0 : 1;
  return outcome;
}

template <class T>
std::optional<TrainingOutcome> BinaryLearner<T>::MeasureTraining() {
  return LossOf(Follow(training_scores_));
}

template <class T>
TrainingOutcome BinaryLearner<T>::LossOf(std::span<const double> scores) const {
  TrainingOutcome outcome;
  for (std::size_t i = 0; i < size(); ++i) {
    const double loss = 1 - label(i) * scores[i];
    outcome.mean_loss += std::max(0.0, loss);
    outcome.nonzero_loss += loss > 0 ? 1 : 0;
  }
  outcome.mean_loss /= static_cast<double>(size());
  return outcome;
}

void CountScore(double score, double label, RoundOutcome& outcome) {
  const double margin = label * score;
  // The mean over the examples counted so far; not a number stays not a number.
  const double loss = margin < 1 ? 1 - margin : margin >= 1 ? 0 : margin;
  ++outcome.examples;
  outcome.mean_loss += (loss - outcome.mean_loss) / static_cast<double>(outcome.examples);
  outcome.mistakes += margin > 0 ? 0 : 1;
  outcome.margin_errors += margin < 1 ? 1 : 0;
}

template class BinaryLearner<float>;
template class BinaryLearner<double>;

}  // namespace okbench
