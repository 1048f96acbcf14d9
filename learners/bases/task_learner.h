#pragma once
// TaskLearner: what the methods that learn outputs of a task from a training set in rounds share: the engine,
// the task with its oracle, and test and training scores that follow the model.
//
// The model is f(x, y) = sum_r kappa(y, r) g_r(x), g_r = sum_i coefficient(r, i) k(x_i, x) over the training
// examples (outputs/task.h).

#include <memory>
#include <span>
#include <vector>

#include "learners/api/output_learner.h"
#include "learners/api/learner.h"
#include "learners/api/parameter_table.h"
#include "learners/bases/incremental_scores.h"
#include "learners/outputs/task.h"

namespace okbench {

/// How a task is made of data with labels.
struct TaskOptions {
  bool tree_distances = false;  ///< Delta of the label tree; else 0 and 1
  bool tree_kernel = false;     ///< kappa of the label tree; else the identity (binary: y y' / 4)
};

/// The parameters that say which task.
template <class Options>
ParameterTable<Options>& AddTaskParameters(ParameterTable<Options>& table) {
  return table
      .Choice(&Options::tree_distances, "distance", {{"zero-one", false}, {"tree", true}},
              "Delta: 1 for every wrong output, or that of the label tree (eq. 65 of svmd-2006)")
      .Choice(&Options::tree_kernel, "output_kernel", {{"identity", false}, {"tree", true}},
              "kernel between outputs: identity, or kappa of the label tree (eq. 66 of svmd-2006)");
}

template <class T>
class TaskLearner : public OutputLearner {
 public:
  const KernelCounts& counts() const override { return engine_.counts(); }
  TestOutcome Test() override;
  /// Mean of max(0, max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)]).
  TrainingOutcome MeasureTraining() override;
  const Task& task() const { return *task_; }
  std::uint64_t oracle_calls() const override { return oracle_.calls(); }
  AnyModel CurrentModel() const override;

 protected:
  /// Throws InvalidArgument for real targets, and for trees where there is none.
  TaskLearner(const TaskOptions& options, const LearnerContext<T>& context);

  /// Coefficients of the model, [output][training example].
  virtual std::span<const double> Coefficients() const = 0;

  std::size_t size() const { return train_.examples->size(); }
  std::size_t outputs() const { return task_->outputs(); }
  /// Expansions of the model.
  std::size_t columns() const { return task_->outputs(); }
  std::size_t truth(std::size_t i) const { return task_->Output(train_.examples->label(i)); }
  /// Delta(truth, .), 0 at the truth.
  std::span<const double> DeltasOf(std::size_t truth);
  /// Adds the outcome of an example with scores f, before it is learned from, to a round's. Gives the
  /// oracle's answer for Delta; its value is not a number where a score is not finite.
  Oracle::Violator CountScores(std::size_t truth, std::span<const double> f, RoundOutcome& outcome);

  std::unique_ptr<Task> task_;
  PredictionLoss prediction_loss_;  // of the data's tree, whatever is learned from
  Oracle oracle_;
  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  bool has_test_;
  ExampleInputs<T> test_;

 private:
  // visit(truth, f) for every example followed, under the model.
  template <class Visit>
  void Follow(IncrementalScores<T>& scores, const Examples<T>& examples, const Visit& visit) const;

  IncrementalScores<T> test_scores_;
  IncrementalScores<T> training_scores_;
  std::vector<double> deltas_;
};

extern template class TaskLearner<float>;
extern template class TaskLearner<double>;

}  // namespace okbench
