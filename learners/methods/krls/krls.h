#pragma once
// KRLS-ALD (Engel, Mannor and Meir, "The kernel recursive least-squares algorithm", IEEE Transactions on
// Signal Processing 52(8), 2004): kernel recursive least squares with approximate linear dependence, for
// regression. f is the least squares solution among the combinations of a dictionary. An example joins the
// dictionary if its squared distance delta from the span of the dictionary exceeds nu. With K the kernel
// matrix of the dictionary and k the kernel row of x over it,
//
//   a = K^-1 k,  delta = k(x, x) - k'a,  e = y - f(x)
//   delta > nu:   x joins; alpha <- [alpha - a e / delta; e / delta],  P <- [P 0; 0 1/w]
//   otherwise:    q = P a / (1/w + a'P a),  P <- P - q a'P,  alpha <- alpha + K^-1 q e
//
// P = (A'W A)^-1, where the rows of A are the vectors a of all examples so far, and W holds their weights w.
// K is kept as a Cholesky factor. There is no ridge: an example with delta below the rounding error of the
// kernel values (kGramTolerance) takes the second branch for any nu. In single precision this happens below
// nu = 0.01 or so. Use double precision for smaller tolerances. Once the dictionary has reached its budget,
// every example takes the second branch. The loss is e^2 / 2 with the prediction before the update.
//
// Cost per step: |S| kernel evaluations, one more (k(x, x)) while the dictionary may grow, and O(|S|^2) time.

#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/bases/filter_loss.h"
#include "learners/bases/growing_dictionary.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/sums.h"
#include "learners/solvers/gram_factor.h"
#include "learners/solvers/packed_symmetric.h"

namespace okbench::krls {

using Options = DictionaryOptions;

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double score, double y) {
    const double error = y - score;
    f.Values(k_);
    factor_.Solve(k_, a_);
    if (options_.budget == 0 || f.size() < options_.budget) {
      const double self = f.Self();
      const double delta = factor_.SquaredDistance(self);
      if (delta > options_.nu && factor_.Grow(a_, self, kGramTolerance<T>)) {
        const double coefficient = error / delta;
        f.AddToAlphas(-coefficient, a_);
        f.Add(coefficient);
        q_.assign(p_.size(), 0.0);
        p_.Append(q_, 1 / f.weight());
        ++additions_;
        return;
      }
    }
    p_.Product(a_, q_);
    const double denominator = 1 / f.weight() + Dot(a_, q_);
    p_.AddOuter(-1 / denominator, q_);
    factor_.Solve(q_, k_);
    f.AddToAlphas(error / denominator, k_);
  }

  static auto State() {
    return state::List(state::Part(&Method::factor_), state::Part(&Method::p_),
                       state::Column("additions", &Method::additions_));
  }
  bool Fits(std::size_t members) const { return factor_.size() == members && p_.size() == members; }

 private:
  Options options_;
  GramFactor factor_;
  PackedSymmetric p_;
  std::uint64_t additions_ = 0;
  std::vector<double> k_, a_, q_;
};

}  // namespace okbench::krls
