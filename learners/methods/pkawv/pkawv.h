#pragma once
// PKAWV (Jezequel, Gaillard and Rudi, "Efficient online learning with kernels for adversarial large scale
// problems", NeurIPS 2019): the Vovk-Azoury-Warmuth forecaster on the span of a dictionary S, for regression.
// It is ridge regression in which the example to predict already counts, with target 0. With phi the
// features of the dictionary (solvers/dictionary_ridge.h),
//
//   A_t = lambda I + sum_{s <= t} phi_s phi_s',  b_t = sum_{s < t} y_s phi_s,  prediction phi_t'A_t^-1 b_t
//                                                                  = f(x_t) / (1 + phi_t'A_{t-1}^-1 phi_t)
//
// where f is the ridge regression on the t - 1 examples before. For |y| <= Y and a dictionary of all
// examples, the regret to any f is at most lambda ||f||^2 + Y^2 log det(I + K / lambda).
//
// The paper leaves the subspace open. Here x joins S before it is predicted if its squared distance delta
// from the span exceeds nu, as in KRLS. Examples before it stay projected onto the smaller span. With a full
// budget nothing joins. Test sets are predicted by f. The instance weight multiplies the squared error.
//
// Cost per step: |S| kernel evaluations, one more (k(x, x)) while the dictionary may grow, and O(|S|^2) time.

#include "learners/bases/filter_loss.h"
#include "learners/bases/growing_dictionary.h"
#include "learners/bases/one_vs_rest.h"

namespace okbench::pkawv {

struct Options : DictionaryOptions {
  double lambda = 0.01;  ///< regulariser: lambda ||f||^2 + sum of squared errors, > 0
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : dictionary_(options, options.lambda) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  double Predict(SupportFunction<T> f, double score) { return score / (1 + dictionary_.Decide(f)); }
  void Learn(SupportFunction<T> f, double /*score*/, double y) {
    dictionary_.Learn(f, f.weight(), f.weight() * y);
  }

  static auto State() { return state::List(state::Part(&Method::dictionary_)); }
  bool Fits(std::size_t members) const { return dictionary_.size() == members; }

 private:
  GrowingDictionary<T> dictionary_;
};

}  // namespace okbench::pkawv
