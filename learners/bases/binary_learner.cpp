#include "learners/bases/binary_learner.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "learners/core/math.h"

namespace okbench {

double UnitHingeLoss(double margin) {
  if (!std::isfinite(margin)) return std::numeric_limits<double>::quiet_NaN();
  return margin < 1 ? 1 - margin : 0;
}

template <class T>
BinaryLearner<T>::BinaryLearner(const std::string& method, const LearnerContext<T>& context,
                                std::size_t expansions)
    : engine_(context.kernel),
      train_(engine_.Prepare(*context.train)),
      // Without a test set, test_ refers to the training set and Test() throws.
      has_test_(context.test != nullptr),
      test_(engine_.Prepare(context.test ? *context.test : *context.train)),
      expansions_(expansions),
      test_scores_(engine_, train_, test_, expansions, Purpose::kMeasuring),
      training_scores_(engine_, train_, train_, expansions, Purpose::kMeasuring) {
  RequireLabels(method, {LabelKind::kBinary}, context.train->label_kind());
  if (context.streaming) return;
  const auto labels = context.train->labels();
  const auto positive = std::count(labels.begin(), labels.end(), 1);
  if (positive == 0 || static_cast<std::size_t>(positive) == labels.size())
    throw InvalidArgument(method + " needs examples of both classes, but all " +
                          std::to_string(labels.size()) + " training examples have the label " +
                          (positive == 0 ? "-1" : "+1"));
}

template <class T>
void BinaryLearner<T>::PrepareRows() {
  train_ = engine_.Prepare(*train_.examples);
  if (!has_test_) test_ = train_;
  test_scores_.Restart();
  training_scores_.Restart();
}

template <class T>
AnyModel BinaryLearner<T>::CurrentModel() const {
  Model<T> model =
      ModelOf(engine_.kernel(), *train_.examples, Coefficients().subspan((expansions_ - 1) * size(), size()));
  model.offsets[0] = Bias();
  return model;
}

template <class T>
std::vector<double> BinaryLearner<T>::UpdatedScores(IncrementalScores<T>& scores) const {
  scores.Update(Coefficients());
  const auto column = scores.Scores(expansions_ - 1);
  std::vector<double> f(column.begin(), column.end());
  for (double& score : f) score += Bias();
  return f;
}

template <class T>
void BinaryLearner<T>::ScaleScores(std::size_t column, double factor) {
  test_scores_.Scale(column, factor);
  training_scores_.Scale(column, factor);
}

template <class T>
void BinaryLearner<T>::MixScores(std::size_t column, double keep, std::size_t other, double share) {
  test_scores_.Mix(column, keep, other, share);
  training_scores_.Mix(column, keep, other, share);
}

template <class T>
TestOutcome BinaryLearner<T>::Test() {
  if (!has_test_) throw InvalidArgument("Test() needs a test set");
  const std::vector<double> f = UpdatedScores(test_scores_);
  TestOutcome outcome{.examples = f.size(), .mistakes = 0};
  outcome.finite = AllFinite(f);
  for (std::size_t i = 0; i < f.size(); ++i)
    outcome.mistakes += PredictsWrong({&f[i], 1}, test_.examples->label(i)) ? 1 : 0;
  outcome.scores = f;
  return outcome;
}

template <class T>
TrainingOutcome BinaryLearner<T>::MeasureTraining() {
  return LossOf(UpdatedScores(training_scores_));
}

template <class T>
TrainingOutcome BinaryLearner<T>::LossOf(std::span<const double> scores) const {
  TrainingOutcome outcome;
  std::vector<double> losses;
  losses.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) {
    losses.push_back(UnitHingeLoss(label(i) * scores[i]));
    outcome.mean_loss += losses.back();
    outcome.nonzero_loss += losses.back() > 0 ? 1 : 0;
  }
  // Sorting makes the sum independent of how the selection orders equal losses. NaN cannot be sorted.
  if (std::isfinite(outcome.mean_loss)) {
    const auto worst = losses.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, size() / 100));
    std::partial_sort(losses.begin(), worst, losses.end(), std::greater<>());
    const double largest = std::accumulate(losses.begin(), worst, 0.0);
    outcome.worst_share = outcome.mean_loss > 0 ? largest / outcome.mean_loss : 0;
  } else {
    outcome.worst_share = std::numeric_limits<double>::quiet_NaN();
  }
  outcome.mean_loss /= static_cast<double>(size());
  return outcome;
}

void CountScore(double score, double label, RoundOutcome& outcome) {
  const double margin = label * score;
  const double loss = UnitHingeLoss(margin);
  ++outcome.examples;
  // Running mean over the examples counted so far.
  outcome.mean_loss += (loss - outcome.mean_loss) / static_cast<double>(outcome.examples);
  outcome.mistakes += margin > 0 ? 0 : 1;
  outcome.margin_errors += margin < 1 ? 1 : 0;
}

template class BinaryLearner<float>;
template class BinaryLearner<double>;

}  // namespace okbench
