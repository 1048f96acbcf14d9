#pragma once
// FOGD (Lu, Hoi, Wang, Zhao and Liu, JMLR 17, 2016): Fourier online gradient descent, a linear model over
// random Fourier features of an RBF kernel (bases/random_feature_learner.h).
//
//   f(x) = w'z(x),  w <- w - eta dl/df z(x)
//
// In the authors' experiments D is 4 times the budget of the compared methods: 400 for a budget of 100. Their
// code omits the factor 1 / sqrt(D) of z, so their step sizes are D times smaller.
//
// Cost per step: 2D feature evaluations, no kernel evaluations.

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
};

template <class T>
class Fogd final : public RandomFeatureLearner<T> {
 public:
  /// Throws InvalidArgument unless the kernel is an RBF kernel.
  Fogd(const Options& options, const LearnerContext<T>& context);

  std::vector<std::string> Columns() const override { return {"features", "feature_evaluations", "updates"}; }
  void Report(std::span<double> out) const override;
  void Serialize(Archive& archive) override;
  void AddClass() override;
  AnyModel CurrentModel() const override;

  /// Weights w of output r, in the memory layout of a row of the map (padded to its stride).
  std::span<const double> weights(std::size_t r) const {
    return std::span(weights_).subspan(r * this->map().stride(), this->map().stride());
  }

 protected:
  void Scores(const double* z, std::span<double> f) const override;
  void Learn(const double* z, std::size_t r, double y, double slope, double weight) override;

 private:
  double eta_;
  VectorOps<double> ops_;
  AlignedVector<double> weights_;  // [output][stride]
  std::uint64_t updates_ = 0;
};

extern template class Fogd<float>;
extern template class Fogd<double>;

}  // namespace okbench::fogd
