#pragma once
// FOGD (Lu, Hoi, Wang, Zhao and Liu, JMLR 17, 2016): Fourier online gradient descent, a linear model over
// random Fourier features of an RBF kernel (bases/random_feature_learner.h).
//
//   f(x) = w'z(x),  w <- w - eta dl/df z(x)
//
// Option `average`: Test() and the model use the mean of the weights w_s that scored steps s = 1..t
// (Cesa-Bianchi, Conconi and Gentile, IEEE Trans. Inf. Theory 50, 2004). Steps and Predict() use the last
// weights, so errors on the stream do not change. Step s adds d_s after scoring, so w_1..w_s lack it:
//   mean = w - (1/t) sum_s s d_s
//
// In the authors' experiments D is 4 times the budget of the compared methods: 400 for a budget of 100. Their
// code omits the factor 1 / sqrt(D) of z, so their step sizes are D times smaller.
//
// Cost per step: 2D feature evaluations, no kernel evaluations. O(D) for scores and weights.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/random_feature_learner.h"
#include "learners/core/aligned.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::fogd {

struct Options : TargetLossOptions {
  std::size_t features = 400;  ///< D: frequencies; each gives two coordinates of z
  double eta = 0.5;            ///< step size
  bool average = false;        ///< test and predict with the mean of the weights; steps use the last
};

template <class T>
class Fogd final : public RandomFeatureLearner<T> {
 public:
  /// Throws InvalidArgument unless the kernel is an RBF kernel.
  Fogd(const Options& options, const LearnerContext<T>& context);

  StepOutcome Step(std::uint32_t example) override;
  TestOutcome Test() override;
  std::vector<std::string> Columns() const override { return {"features", "feature_evaluations", "updates"}; }
  void Report(std::span<double> out) const override;
  void Serialize(Archive& archive) override;
  void AddClass() override;
  AnyModel CurrentModel() const override;

  /// Weights w of output r after the last step, in the memory layout of a row of the map (padded to its
  /// stride).
  std::span<const double> weights(std::size_t r) const {
    return std::span(weights_).subspan(r * this->map().stride(), this->map().stride());
  }

 protected:
  void ModelScores(const double* z, std::span<double> f) const override;
  void Scores(const double* z, std::span<double> f) const override;
  void Learn(const double* z, std::size_t r, double y, double slope, double weight) override;

 private:
  // Scores of a row with the feature vector z, by these weights.
  void ScoresOf(const AlignedVector<double>& weights, const double* z, std::span<double> f) const;
  // The weights of tests and of the model: w, or the mean with `average`.
  AlignedVector<double> Predicting() const;

  double eta_;
  bool average_;
  VectorOps<double> ops_;
  AlignedVector<double> weights_;        // [output][stride]
  AlignedVector<double> step_weighted_;  // with `average`: sum of s d_s, [output][stride]
  std::uint64_t t_ = 0;                  // steps
  std::uint64_t updates_ = 0;
};

extern template class Fogd<float>;
extern template class Fogd<double>;

}  // namespace okbench::fogd
