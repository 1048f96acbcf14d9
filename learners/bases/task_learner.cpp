#include "learners/bases/task_learner.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "learners/core/math.h"

namespace okbench {
namespace {

template <class T>
std::unique_ptr<Task> TaskOf(const TaskOptions& options, const LearnerContext<T>& context) {
  if ((options.tree_distances || options.tree_kernel) && context.tree == nullptr)
    throw InvalidArgument("tree distances and tree kernels need a label tree: data.tree");
  return MakeTask(context.train->label_kind(), context.train->classes(),
                  options.tree_distances ? context.tree : nullptr,
                  options.tree_kernel ? context.tree : nullptr);
}

}  // namespace

template <class T>
TaskLearner<T>::TaskLearner(const TaskOptions& options, const LearnerContext<T>& context)
    : task_(TaskOf(options, context)),
      prediction_loss_(context.tree, context.graph),
      engine_(context.kernel),
      train_(engine_.Prepare(*context.train)),
      // Without a test set, test_ refers to the training set and Test() throws.
      has_test_(context.test != nullptr),
      test_(engine_.Prepare(context.test ? *context.test : *context.train)),
      test_scores_(engine_, train_, test_, task_->outputs(), Purpose::kMeasuring),
      training_scores_(engine_, train_, train_, task_->outputs(), Purpose::kMeasuring),
      deltas_(task_->outputs()) {}

template <class T>
std::span<const double> TaskLearner<T>::DeltasOf(std::size_t truth) {
  for (std::size_t y = 0; y < deltas_.size(); ++y) deltas_[y] = task_->Delta(truth, y);
  return deltas_;
}

template <class T>
Oracle::Violator TaskLearner<T>::CountScores(std::size_t truth, std::span<const double> f,
                                             RoundOutcome& outcome) {
  Oracle::Violator violator{.output = truth, .value = std::numeric_limits<double>::quiet_NaN()};
  if (AllFinite(f)) violator = oracle_.MostViolating(truth, DeltasOf(truth), f);
  const double loss = violator.value;
  ++outcome.examples;
  // Running means over the examples counted so far.
  const auto n = static_cast<double>(outcome.examples);
  outcome.mean_loss += (loss - outcome.mean_loss) / n;
  outcome.mistakes += task_->Mistake(truth, f) ? 1 : 0;
  outcome.margin_errors += loss > 0 ? 1 : 0;
  if (const auto task_loss = prediction_loss_(f, truth)) {
    const double before = outcome.task_loss.value_or(0);
    outcome.task_loss = before + (*task_loss - before) / n;
  }
  return violator;
}

template <class T>
template <class Visit>
void TaskLearner<T>::Follow(IncrementalScores<T>& scores, const Examples<T>& examples,
                            const Visit& visit) const {
  scores.Update(Coefficients());
  std::vector<double> f(outputs());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (std::size_t r = 0; r < f.size(); ++r) f[r] = scores.Scores(r)[i];
    task_->OutputProducts(f, f);
    visit(task_->Output(examples.label(i)), std::span<const double>(f));
  }
}

template <class T>
AnyModel TaskLearner<T>::CurrentModel() const {
  Model<T> model = ModelOf(engine_.kernel(), *train_.examples, Coefficients());
  // Computes sum_r kappa(y, r) g_r as one expansion per output y.
  const std::size_t support = model.vectors->size();
  std::vector<double> of_vector(outputs());
  for (std::size_t s = 0; s < support; ++s) {
    for (std::size_t r = 0; r < outputs(); ++r) of_vector[r] = model.coefficients[r * support + s];
    task_->OutputProducts(of_vector, of_vector);
    for (std::size_t r = 0; r < outputs(); ++r) model.coefficients[r * support + s] = of_vector[r];
  }
  return model;
}

template <class T>
TestOutcome TaskLearner<T>::Test() {
  if (!has_test_) throw InvalidArgument("Test() needs a test set");
  TestOutcome outcome{.examples = test_.examples->size(), .mistakes = 0};
  double task_loss = 0;
  Follow(test_scores_, *test_.examples, [&](std::size_t y, std::span<const double> f) {
    outcome.finite = outcome.finite && AllFinite(f);
    outcome.AddScores(f);
    outcome.mistakes += ArgMax(f) != y ? 1 : 0;
    task_loss += prediction_loss_(f, y).value_or(0);
  });
  if (prediction_loss_.known()) outcome.task_loss = task_loss / static_cast<double>(outcome.examples);
  return outcome;
}

template <class T>
TrainingOutcome TaskLearner<T>::MeasureTraining() {
  TrainingOutcome outcome;
  Oracle measuring;  // its calls are not counted as learning
  Follow(training_scores_, *train_.examples, [&](std::size_t y, std::span<const double> f) {
    const double loss = AllFinite(f) ? measuring.MostViolating(y, DeltasOf(y), f).value
                                     : std::numeric_limits<double>::quiet_NaN();
    outcome.mean_loss += loss;
    outcome.nonzero_loss += loss > 0 ? 1 : 0;
  });
  outcome.mean_loss /= static_cast<double>(size());
  return outcome;
}

template class TaskLearner<float>;
template class TaskLearner<double>;

}  // namespace okbench
