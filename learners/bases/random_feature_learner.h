#pragma once
// RandomFeatureLearner: base of stream learners of linear models over random Fourier features
// (kernels/random_features.h) of RBF kernels. They have no support vectors. With labels, the loss is the
// hinge loss max(0, 1 - y f), which has a nonzero derivative for y f < 1. Several classes are learned one
// against the rest over the same z. With real targets, it is a regression loss (`target_loss`).
//
// Cost per step: the feature evaluations of one row of the map, no kernel evaluations.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/api/parameter_table.h"
#include "learners/api/uses_features.h"
#include "learners/kernels/random_features.h"
#include "learners/losses/loss.h"
#include "learners/outputs/label_distance.h"

namespace okbench {

struct TargetLossOptions {
  std::string target_loss = "squared";  ///< loss for real targets
  double width = 0.1;                   ///< tube width of eps-insensitive, or sigma of huber; > 0
};

/// Adds the parameters of TargetLossOptions to a table.
template <class Options>
ParameterTable<Options>& AddTargetLossParameters(ParameterTable<Options>& table) {
  return table
      .Choice(&TargetLossOptions::target_loss, "target_loss",
              {{"squared", "squared"}, {"eps-insensitive", "eps-insensitive"}, {"huber", "huber"}},
              "loss for real targets (see okbench help losses); labels use the hinge loss")
      .Real(&TargetLossOptions::width, "width", "eps, sigma", Positive(), "score",
            "tube width of eps-insensitive, or sigma of huber");
}

/// Cost of a learner over this many frequencies.
Cost RandomFeatureCost(const Workload& work, std::size_t frequencies);

template <class T>
class RandomFeatureLearner : public StreamLearner,
                             public Resumable,
                             public GrowsClasses,
                             public GivesModel,
                             public UsesFeatures {
 public:
  /// `components`: rows u_d of the map.
  RandomFeatureLearner(const TargetLossOptions& options, const LearnerContext<T>& context,
                       std::shared_ptr<const Examples<T>> components);

  void Announce(std::span<const std::uint32_t> order) override { map_.Announce(order); }
  StepOutcome Predict(std::uint32_t example) override;
  StepOutcome Step(std::uint32_t example) override;

  /// Always 0: the method has no support vectors.
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return map_.counts(); }
  std::uint64_t feature_evaluations() const override { return counts().features; }
  TestOutcome Test() override {
    return TestScores([this](const double* z, std::span<double> f) { Scores(z, f); });
  }

  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {}
  void AddClass() override { f_.push_back(0); }
  bool ScoreRow(std::uint32_t example, std::span<double> out) override {
    map_.ForEach(train_, std::span(&example, 1), [&](std::size_t, const double* z) { ModelScores(z, out); });
    return true;
  }

  const RandomFeatures<T>& map() const { return map_; }

 protected:
  /// Writes the scores of a row with the feature vector z, one per output.
  virtual void Scores(const double* z, std::span<double> f) const = 0;
  /// As Scores(), under the weights of the model.
  virtual void ModelScores(const double* z, std::span<double> f) const { Scores(z, f); }
  /// The step of output r: `y` is its label or target, `slope` the derivative of its loss by its score.
  virtual void Learn(const double* z, std::size_t r, double y, double slope, double weight) = 0;

  /// Errors on the test set. `scores_of` writes the scores of a row with feature vector z, one per output.
  TestOutcome TestScores(const std::function<void(const double* z, std::span<double> f)>& scores_of);
  /// Loss of an output with the score f, and its derivative by f.
  LossValue LossOf(double f, double y, double& slope) const;
  std::size_t outputs() const { return f_.size(); }
  /// Serializes the counts of the map.
  void SerializeMap(Archive& archive) { map_.Serialize(archive); }
  const Kernel& kernel() const { return kernel_; }

 private:
  StepOutcome Score(std::uint32_t example, const double* z, bool learns);

  const Examples<T>& train_;
  const Examples<T>* test_;
  LabelKind kind_;
  PredictionLoss task_loss_;
  std::unique_ptr<Loss> target_loss_;  // null if the data has labels
  double width_;
  Kernel kernel_;
  RandomFeatures<T> map_;
  std::vector<double> f_;
};

extern template class RandomFeatureLearner<float>;
extern template class RandomFeatureLearner<double>;

}  // namespace okbench
