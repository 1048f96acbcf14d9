#pragma once
// FB-KRLS (Van Vaerenbergh, Santamaria, Liu and Principe, "Fixed-budget kernel recursive least-squares",
// ICASSP 2010), for regression: kernel ridge regression on at most M examples,
//
//   alpha = (K + lambda I)^-1 y.
//
// Every example joins. Above the budget, the one with the smallest |alpha_i| / [(K + lambda I)^-1]_ii leaves,
// the oldest among ties: it is the one whose target the others predict best. K + lambda I is kept as a
// Cholesky factor. An example whose g = k(x, x) + lambda - k'(K + lambda I)^-1 k is 0 in floating point does
// not join. The weight w of an example divides its ridge: lambda / w.
//
// Cost per step: |S| + 1 kernel evaluations and O(M^2) time.

#include <cstdint>
#include <vector>

#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/solvers/ridge_inverse.h"

namespace okbench::fb_krls {

struct Options {
  double lambda = 0.01;      ///< ridge, > 0
  std::size_t budget = 100;  ///< M
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double /*score*/, double y) {
    f.Values(k_);
    inverse_.Solve(k_, d_);
    if (!inverse_.Grow(d_, f.Self() + options_.lambda / f.weight())) return;
    f.Add(0);
    targets_.push_back(y);
    inverse_.Solve(targets_, alpha_);
    if (f.size() > options_.budget) {
      const std::size_t least = inverse_.LeastError(alpha_);
      f.Remove(least);
      inverse_.Remove(least);
      targets_.erase(targets_.begin() + static_cast<std::ptrdiff_t>(least));
      inverse_.Solve(targets_, alpha_);
    }
    f.SetAlphas(alpha_);
  }

  static auto State() {
    return state::List(state::Part(&Method::inverse_), state::Field("targets", &Method::targets_));
  }
  bool Fits(std::size_t members) const { return inverse_.size() == members && targets_.size() == members; }

 private:
  Options options_;
  RidgeInverse inverse_;
  std::vector<double> targets_;  // y, by place
  std::vector<double> k_, d_, alpha_;
};

}  // namespace okbench::fb_krls
