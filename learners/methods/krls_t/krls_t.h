#pragma once
// KRLS-T (Van Vaerenbergh, Lazaro-Gredilla and Santamaria, "Kernel recursive least-squares tracker for
// time-varying regression", IEEE Transactions on Neural Networks and Learning Systems 23(8), 2012): a
// Gaussian process on a dictionary S of at most M examples that forgets towards its prior. State: the mean m
// and the covariance C of f at S, and Q = (K + jitter I)^-1. A step on (x, y), with k = k(S, x):
//
//   forget   C <- lambda C + (1 - lambda) K,  m <- sqrt(lambda) m
//   predict  q = Q k, g = k(x, x) + jitter - k'q, h = C q, v = g + q'h, s = sigma_n^2 + v, yhat = q'm
//   learn    m <- [m; yhat] + (y - yhat)/s [h; v],  C <- [C h; h' v] - 1/s [h; v][h; v]'
//
// f = sum_i alpha_i k(s_i, .) with alpha = Q m, and s is the predictive variance at x (Variances()). x joins
// S unless g < jitter, or g is within the rounding error of the kernel values (kGramTolerance): with float32
// rows that error may exceed the jitter. Above the budget, the member with the smallest |alpha_i| / Q_ii
// leaves, the oldest among ties. Q is kept as a Cholesky factor. The weight w of an example divides the
// noise: sigma_n^2 / w.
//
// Cost per step: |S| + 1 kernel evaluations and O(M^2) time.

#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/sums.h"
#include "learners/solvers/packed_symmetric.h"
#include "learners/solvers/ridge_inverse.h"

namespace okbench::krls_t {

struct Options {
  double lambda = 0.999;     ///< forgetting factor, in (0, 1]; 1: none
  double noise = 0.01;       ///< sigma_n^2, > 0
  double jitter = 1e-6;      ///< > 0
  std::size_t budget = 100;  ///< M
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double /*score*/, double y) {
    Forget();
    f.Values(k_);
    const double self = f.Self();
    inverse_.Solve(k_, q_);
    const double g = inverse_.Schur(self + options_.jitter);
    covariance_.Product(q_, h_);
    const double v = g + Dot(q_, h_);
    variance_ = options_.noise / f.weight() + v;
    const double predicted = Dot(q_, mean_);
    const double step = (y - predicted) / variance_;
    for (std::size_t j = 0; j < h_.size(); ++j) mean_[j] += step * h_[j];
    if (g >= options_.jitter && inverse_.Grow(q_, self + options_.jitter, kGramTolerance<T>)) {
      f.Add(0);
      mean_.push_back(predicted + step * v);
      covariance_.Append(h_, v);
      if (options_.lambda < 1) gram_.Append(k_, self);
      h_.push_back(v);
    }
    covariance_.AddOuter(-1 / variance_, h_);
    inverse_.Solve(mean_, alpha_);
    if (f.size() > options_.budget) {
      const std::size_t least = inverse_.LeastError(alpha_);
      f.Remove(least);
      Remove(least);
      inverse_.Solve(mean_, alpha_);
    }
    f.SetAlphas(alpha_);
  }

  /// s of the last step.
  double predictive_variance() const { return variance_; }
  /// The predictive variance s at an x with k = k(S, x) and k(x, x) = `self`. Changes nothing but scratch.
  double Variance(std::span<const double> k, double self) {
    inverse_.Solve(k, q_);
    covariance_.Product(q_, h_);
    return options_.noise + inverse_.Schur(self + options_.jitter) + Dot(q_, h_);
  }

  static auto State() {
    return state::List(state::Part(&Method::inverse_), state::Part(&Method::covariance_),
                       state::Part(&Method::gram_), state::Field("mean", &Method::mean_),
                       state::Field("variance", &Method::variance_),
                       state::Column("predictive_variance", &Method::predictive_variance));
  }
  bool Fits(std::size_t members) const {
    return inverse_.size() == members && covariance_.size() == members && mean_.size() == members &&
           gram_.size() == (options_.lambda < 1 ? members : 0);
  }

 private:
  void Forget() {
    if (options_.lambda == 1) return;
    covariance_.Scale(options_.lambda);
    covariance_.Add(1 - options_.lambda, gram_);
    for (double& value : mean_) value *= std::sqrt(options_.lambda);
  }
  void Remove(std::size_t place) {
    inverse_.Remove(place);
    covariance_.Remove(place);
    if (options_.lambda < 1) gram_.Remove(place);
    mean_.erase(mean_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  Options options_;
  RidgeInverse inverse_;        // Q
  PackedSymmetric covariance_;  // C
  PackedSymmetric gram_;        // K, only with forgetting
  std::vector<double> mean_;    // m
  double variance_ = 0;         // s of the last step
  std::vector<double> k_, q_, h_, alpha_;
};

/// The learner, with its predictive variances.
template <class T>
class KrlsT final : public OneVsRest<T, Method>, public GivesVariance<T> {
 public:
  KrlsT(const Options& options, const LearnerContext<T>& context) : OneVsRest<T, Method>(options, context) {}

  void Variances(const Examples<T>& rows, std::span<double> out) override {
    const ExampleInputs<T> inputs = this->engine_.Prepare(rows);
    std::vector<double> k;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const double self = this->set_.EvaluateRow(0, inputs, i, k);
      out[i] = this->mutable_method(0).Variance(k, self);
    }
  }
};

}  // namespace okbench::krls_t
