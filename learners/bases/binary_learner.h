#pragma once
// BinaryLearner: what the binary methods that learn from a training set in rounds share: rows and labels, the
// engine with its counter, and test and training scores that follow the model.
//
// The model is f(x) = sum_i coefficient(i) k(x_i, x) + bias over the training examples x_i, the last of the
// learner's expansions when it has several; f(x) > 0 predicts +1, and f(x) = 0 is a mistake for either label.

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
  /// Throws InvalidArgument, naming `method`, unless the training set has binary labels, of both kinds where
  /// no others will come.
  BinaryLearner(const std::string& method, const LearnerContext<T>& context, std::size_t expansions);

  /// For Resumable ones: takes in the new training rows.
  void TakeRows();

  /// Coefficients of the model, [expansion][training example].
  virtual std::span<const double> Coefficients() const = 0;
  virtual double Bias() const { return 0; }
  /// To be called beside Expansion::Scale and Expansion::Mix on what Coefficients() gives.
  void ScaleScores(std::size_t column, double factor);
  void MixScores(std::size_t column, double keep, std::size_t other, double share);

  /// Mean hinge loss and nonzero losses of these scores of the training set.
  TrainingOutcome LossOf(std::span<const double> scores) const;

  std::size_t size() const { return train_.examples->size(); }
  /// Expansions of the model.
  std::size_t columns() const { return expansions_; }
  double label(std::size_t i) const { return train_.examples->label(i); }

  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  bool has_test_;
  ExampleInputs<T> test_;

 private:
  std::vector<double> Follow(IncrementalScores<T>& scores) const;

  std::size_t expansions_;
  IncrementalScores<T> test_scores_;
  IncrementalScores<T> training_scores_;
};

/// max(0, 1 - margin); not a number when the margin is not finite, even on the right side: the model has
/// diverged.
double UnitHingeLoss(double margin);

/// Adds the outcome of one scored example, before it is learned from, to a round's.
void CountScore(double score, double label, RoundOutcome& outcome);

extern template class BinaryLearner<float>;
extern template class BinaryLearner<double>;

}  // namespace okbench
