#pragma once
// BinaryLearner: base of the binary methods that learn from a training set in rounds. Holds rows and labels,
// the kernel engine with its counter, and incremental test and training scores.
//
// The model is f(x) = sum_i coefficient(i) k(x_i, x) + bias over the training examples x_i. With several
// expansions, the last one is the model. f(x) > 0 predicts +1. While learning, f(x) = 0 is a
// mistake for either label.

#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/bases/incremental_scores.h"

namespace okbench {

template <class T>
class BinaryLearner : public RoundLearner, public MeasuresTraining, public GivesModel {
 public:
  const KernelCounts& counts() const override { return engine_.counts(); }
  TestOutcome Test() override;
  TrainingOutcome MeasureTraining() override;
  AnyModel CurrentModel() const override;

 protected:
  /// Throws InvalidArgument, naming `method`, unless the training labels are binary and both occur. With
  /// LearnerContext::streaming one label may be missing.
  BinaryLearner(const std::string& method, const LearnerContext<T>& context, std::size_t expansions);

  /// Implements OnRowsAppended() of resumable methods: prepares the new training rows.
  void PrepareRows();

  /// Coefficients of the model, [expansion][training example].
  virtual std::span<const double> Coefficients() const = 0;
  virtual double Bias() const { return 0; }
  /// Call together with Expansion::Scale and Expansion::Mix on the coefficients, with the same arguments.
  void ScaleScores(std::size_t column, double factor);
  void MixScores(std::size_t column, double keep, std::size_t other, double share);

  /// Hinge losses of the training set with these scores.
  TrainingOutcome LossOf(std::span<const double> scores) const;

  std::size_t size() const { return train_.examples->size(); }
  /// Expansions of the model.
  std::size_t columns() const { return expansions_; }
  double label(std::size_t i) const { return train_.examples->label(i); }
  /// Weight of the loss of training example i.
  double weight(std::size_t i) const { return train_.examples->weight(i); }

  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  bool has_test_;
  ExampleInputs<T> test_;

 private:
  std::vector<double> UpdatedScores(IncrementalScores<T>& scores) const;

  std::size_t expansions_;
  IncrementalScores<T> test_scores_;
  IncrementalScores<T> training_scores_;
};

/// max(0, 1 - margin), or NaN if the margin is not finite, which means that the model has diverged.
double UnitHingeLoss(double margin);

/// Adds one scored example to `outcome`. Call it before the method learns from the example.
void CountScore(double score, double label, RoundOutcome& outcome);

extern template class BinaryLearner<float>;
extern template class BinaryLearner<double>;

}  // namespace okbench
