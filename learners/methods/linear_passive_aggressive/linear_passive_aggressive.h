#pragma once
// Linear passive-aggressive, PA-I (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7, 2006, figure
// 1), with explicit weights. The kernel is k(x, x') = a <x, x'> + b: linear, or polynomial of degree 1.
// Several classes are learned one against the rest. For each output r with label y:
//
//   f_r(x) = <w_r, x> + o_r,  l = max(0, 1 - y f_r(x)),  tau = min(C, l / k(x, x))
//   w_r <- w_r + tau y a x,   o_r <- o_r + tau y b
//
// Up to rounding, these are the functions of passive_aggressive/ with the same kernel. Here the cost of a
// step does not grow with the number of updates.
//
// An example with k(x, x) = 0 changes nothing.
//
// Cost per step: O(nonzeros) for each output, no kernel evaluations. An inner product of the row, with w_r or
// with itself, costs as much as a kernel evaluation and counts as one feature.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/api/uses_features.h"
#include "learners/bases/linear_model.h"
#include "learners/core/evaluation_counter.h"
#include "learners/outputs/label_distance.h"

namespace okbench::linear_passive_aggressive {

struct Options {
  double c = 1;  ///< C: aggressiveness, upper bound of tau
};

template <class T>
class LinearPassiveAggressive final : public StreamLearner,
                                      public Resumable,
                                      public GrowsClasses,
                                      public GivesModel,
                                      public UsesFeatures {
 public:
  /// Throws InvalidArgument for another kernel.
  LinearPassiveAggressive(const Options& options, const LearnerContext<T>& context);

  void Announce(std::span<const std::uint32_t> /*order*/) override {}
  StepOutcome Predict(std::uint32_t example) override;
  StepOutcome Step(std::uint32_t example) override;

  /// weights: weights of each output, those of features and o_r.
  std::vector<std::string> Columns() const override { return {"weights", "feature_evaluations", "updates"}; }
  void Report(std::span<double> out) const override;

  /// Always 0: a linear model has no support vectors.
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return counter_.counts(); }
  std::uint64_t feature_evaluations() const override { return counts().features; }
  TestOutcome Test() override;

  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {}
  void AddClass() override;
  void Serialize(Archive& archive) override;
  AnyModel CurrentModel() const override;
  bool ScoreRow(std::uint32_t example, std::span<double> out) override;

 private:
  using Outputs = Eigen::Array<double, 1, Eigen::Dynamic, Eigen::RowMajor>;

  void Scores(const RowView<T>& row, Purpose purpose, std::span<double> f);
  // The outcome of the scores f_ of a training example.
  StepOutcome Outcome(std::uint32_t example) const;

  Options options_;
  Kernel kernel_;
  double scale_;     // a
  double constant_;  // b
  const Examples<T>& train_;
  const Examples<T>* test_;
  LabelKind kind_;
  PredictionLoss task_loss_;
  EvaluationCounter counter_;
  FeatureWeights<Eigen::Dynamic> weights_;  // a column for each output
  std::vector<double> offsets_;             // o_r
  std::vector<double> f_;
  Outputs amounts_;  // tau y of each output, 0 without an update
  std::uint64_t updates_ = 0;
};

extern template class LinearPassiveAggressive<float>;
extern template class LinearPassiveAggressive<double>;

}  // namespace okbench::linear_passive_aggressive
