#pragma once
// SW-KRLS (Van Vaerenbergh, Via and Santamaria, "A sliding-window kernel RLS algorithm and its application to
// nonlinear channel identification", ICASSP 2006), for regression: kernel ridge regression on the last M
// examples,
//
//   alpha = (K + c I)^-1 y.
//
// The oldest example leaves, then the new one joins. K + c I is kept as a Cholesky factor. An example whose
// g = k(x, x) + c - k'(K + c I)^-1 k is 0 in floating point does not join. The weight w of an example
// divides its ridge: c / w.
//
// Cost per step: |S| + 1 kernel evaluations and O(M^2) time.

#include <cstdint>
#include <vector>

#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/solvers/gram_factor.h"

namespace okbench::sw_krls {

struct Options {
  double c = 0.01;           ///< ridge, > 0
  std::size_t budget = 100;  ///< M, the length of the window
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double /*score*/, double y) {
    const double self = f.Self();
    if (f.size() == options_.budget) {
      f.Remove(0);
      factor_.Remove(0);
      targets_.erase(targets_.begin());
    }
    f.Values(k_);
    factor_.Project(k_);
    if (factor_.Grow({}, self + options_.c / f.weight(), 0)) {
      f.Add(0);
      targets_.push_back(y);
    }
    factor_.Solve(targets_, d_);
    f.SetAlphas(d_);
  }

  static auto State() {
    return state::List(state::Part(&Method::factor_), state::Field("targets", &Method::targets_));
  }
  bool Fits(std::size_t members) const { return factor_.size() == members && targets_.size() == members; }

 private:
  Options options_;
  GramFactor factor_;            // of K + c I
  std::vector<double> targets_;  // y, by place
  std::vector<double> k_, d_;
};

}  // namespace okbench::sw_krls
