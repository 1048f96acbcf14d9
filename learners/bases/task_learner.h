#pragma once
// TaskLearner: base of the methods that learn outputs of a task from a training set in rounds. Holds the
// kernel engine, the task with its oracle, and incremental test and training scores.
//
// The model is f(x, y) = sum_r kappa(y, r) g_r(x) with g_r = sum_i coefficient(r, i) k(x_i, x) over the
// training examples x_i (outputs/task.h).

#include <memory>
#include <span>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/output_learner.h"
#include "learners/api/parameter_table.h"
#include "learners/bases/incremental_scores.h"
#include "learners/outputs/task.h"

namespace okbench {

/// How labelled data define a task.
struct TaskOptions {
  bool tree_distances = false;  ///< Delta of the label tree; else the zero-one loss
  bool tree_kernel = false;     ///< kappa of the label tree; else the identity (binary: y y' / 4)
};

/// Adds the parameters of TaskOptions.
template <class Options>
ParameterTable<Options>& AddTaskParameters(ParameterTable<Options>& table) {
  return table
      .Choice(&Options::tree_distances, "distance", {{"zero-one", false}, {"tree", true}},
              "Delta: 1 for every wrong output, or Delta of the label tree (eq. 65 of svmd-2006)")
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
  /// Throws InvalidArgument for real targets, and if the options need a label tree that the context lacks.
  TaskLearner(const TaskOptions& options, const LearnerContext<T>& context);

  /// Coefficients of the model, [output][training example].
  virtual std::span<const double> Coefficients() const = 0;

  std::size_t size() const { return train_.examples->size(); }
  std::size_t outputs() const { return task_->outputs(); }
  /// Expansions of the model.
  std::size_t columns() const { return task_->outputs(); }
  std::size_t truth(std::size_t i) const { return task_->Output(train_.examples->label(i)); }
  /// Weight of the loss of training example i.
  double weight(std::size_t i) const { return train_.examples->weight(i); }
  /// Delta(truth, .), 0 at the truth.
  std::span<const double> DeltasOf(std::size_t truth);
  /// Adds one example with scores f to `outcome`. Call it before the method learns from the example. Returns
  /// the most violating output under Delta; its value is NaN if a score is not finite.
  Oracle::Violator CountScores(std::size_t truth, std::span<const double> f, RoundOutcome& outcome);

  std::unique_ptr<Task> task_;
  PredictionLoss prediction_loss_;  // Delta of the data's label tree, also if the task does not use it
  Oracle oracle_;
  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  bool has_test_;
  ExampleInputs<T> test_;

 private:
  // Calls visit(truth, f) for every example, with the scores f of the current model.
  template <class Visit>
  void Follow(IncrementalScores<T>& scores, const Examples<T>& examples, const Visit& visit) const;

  IncrementalScores<T> test_scores_;
  IncrementalScores<T> training_scores_;
  std::vector<double> deltas_;
};

extern template class TaskLearner<float>;
extern template class TaskLearner<double>;

}  // namespace okbench
