#pragma once
// FOGD (Lu, Hoi, Wang, Zhao and Liu, JMLR 17, 2016): Fourier online gradient descent, a linear model over
// random Fourier features (random_features.h) of an RBF kernel. It has no support vectors.
//
//   f(x) = w'z(x),  w <- w - eta dl/df z(x)
//
// With labels, l is the hinge loss max(0, 1 - y f), which has a nonzero derivative for y f < 1. Several
// classes are learned one against the rest over the same z. With real targets, l is a regression loss
// (`target_loss`).
//
// In the authors' experiments D is 4 times the budget of the compared methods: 400 for a budget of 100. Their
// code omits the factor 1 / sqrt(D) of z, so their step sizes are D times smaller.
//
// Cost per step: 2D feature evaluations, no kernel evaluations.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/api/uses_features.h"
#include "learners/core/aligned.h"
#include "learners/kernels/random_features.h"
#include "learners/kernels/vector_ops.h"
#include "learners/losses/loss.h"
#include "learners/outputs/label_distance.h"

namespace okbench::fogd {

struct Options {
  std::size_t features = 400;           ///< D: frequencies; each gives two coordinates of z
  double eta = 0.5;                     ///< step size
  std::string target_loss = "squared";  ///< loss for real targets
  double width = 0.1;                   ///< tube width of eps-insensitive, or sigma of huber; > 0
};

template <class T>
class Fogd final : public StreamLearner,
                   public Resumable,
                   public GrowsClasses,
                   public GivesModel,
                   public UsesFeatures {
 public:
  /// Throws InvalidArgument unless the kernel is an RBF kernel.
  Fogd(const Options& options, const LearnerContext<T>& context);

  void Announce(std::span<const std::uint32_t> order) override { map_.Announce(order); }
  StepOutcome Predict(std::uint32_t example) override;
  StepOutcome Step(std::uint32_t example) override;

  std::vector<std::string> Columns() const override { return {"features", "feature_evaluations", "updates"}; }
  void Report(std::span<double> out) const override;
  /// Always 0: the method has no support vectors.
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return map_.counts(); }
  std::uint64_t feature_evaluations() const override { return counts().features; }
  TestOutcome Test() override;

  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {}
  void Serialize(Archive& archive) override;
  void AddClass() override {
    f_.push_back(0);
    weights_.resize(f_.size() * map_.stride(), 0.0);
  }
  AnyModel CurrentModel() const override;

  const RandomFeatures<T>& map() const { return map_; }
  /// Weights w of output r, in the memory layout of a row of the map (padded to its stride).
  std::span<const double> weights(std::size_t r) const {
    return std::span(weights_).subspan(r * map_.stride(), map_.stride());
  }

 private:
  // Scores the row with the feature vector z, and learns from it if `learns`.
  StepOutcome Score(std::uint32_t example, const double* z, bool learns);
  void Scores(const double* z, std::span<double> f) const;

  const Examples<T>& train_;
  const Examples<T>* test_;
  LabelKind kind_;
  PredictionLoss task_loss_;
  std::unique_ptr<Loss> target_loss_;  // null if the data has labels
  double eta_, width_;
  Kernel kernel_;
  RandomFeatures<T> map_;
  VectorOps<double> ops_;
  std::vector<double> f_;
  AlignedVector<double> weights_;  // [output][stride]
  std::uint64_t updates_ = 0;
};

extern template class Fogd<float>;
extern template class Fogd<double>;

}  // namespace okbench::fogd
