#pragma once
// Raker (Shen, Chen and Giannakis, "Random feature-based online multi-kernel learning in environments with
// unknown dynamics", JMLR 20, 2019): P linear models over random Fourier features of P RBF kernels, weighted
// by their losses (bases/random_feature_learner.h).
//
//   f(x) = sum_p v_p f_p(x) / sum_p v_p,  f_p(x) = theta_p'z_p(x)
//   L_p = l(f_p(x)) + lambda ||theta_p||^2
//   v_p <- v_p exp(-eta L_p),  theta_p <- theta_p - eta (l'(f_p(x)) z_p(x) + 2 lambda theta_p)
//
// Both updates use theta_p before the step. The kernels have gamma_p = gamma ratio^(p - (P-1)/2), p = 0 ..
// P-1, around the kernel of the spec. Each has D frequencies. Each class has its own weights v. The
// instance weight multiplies l and l'.
//
// Cost per step: 2DP feature evaluations, no kernel evaluations.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/random_feature_learner.h"

namespace okbench::raker {

struct Options : TargetLossOptions {
  std::size_t kernels = 3;     ///< P
  double ratio = 10;           ///< between the gammas of neighbouring kernels, > 1
  std::size_t features = 200;  ///< D: frequencies of each kernel; each gives two coordinates of z
  double eta = 0.5;            ///< step size of theta and of the weights, > 0
  double lambda = 0;           ///< regulariser lambda ||theta_p||^2, >= 0
};

template <class T>
class Raker final : public RandomFeatureLearner<T> {
 public:
  /// Throws InvalidArgument unless the kernel is an RBF kernel.
  Raker(const Options& options, const LearnerContext<T>& context);

  std::vector<std::string> Columns() const override {
    return {"features", "feature_evaluations", "largest_weight"};
  }
  void Report(std::span<double> out) const override;
  void Serialize(Archive& archive) override;
  void AddClass() override;
  AnyModel CurrentModel() const override;

  /// Normalised weight of kernel p for output r.
  double weight(std::size_t r, std::size_t p) const;

 protected:
  void Scores(const double* z, std::span<double> f) const override;
  void Learn(const double* z, std::size_t r, double y, double slope, double weight) override;

 private:
  // The frequencies of all kernels are one map. Kernel p has its rows p D .. (p+1) D - 1.
  double ScoreOf(const double* z, std::size_t r, std::size_t p) const;
  std::size_t Place(std::size_t r, std::size_t p) const {
    return (r * options_.kernels + p) * 2 * options_.features;
  }
  void Resize();

  Options options_;
  // The map scales all coordinates by 1 / sqrt(P D); this factor turns it into 1 / sqrt(D).
  double scale_;
  std::vector<double> theta_;       // [output][kernel][cosines, sines]
  std::vector<double> log_weight_;  // [output][kernel]; the largest of an output is 0
};

extern template class Raker<float>;
extern template class Raker<double>;

}  // namespace okbench::raker
