#pragma once
// Projectron++ (Orabona, Keshet and Caputo, "Bounded kernel-based online learning", JMLR 10, 2009): a
// perceptron that projects an example near the span of its support set onto that span instead of adding it.
// With K the kernel matrix of the support set S, k the kernel row of x over it, and P the projection onto the
// span,
//
//   d = K^-1 k,  n = ||P k(x, .)||^2 = k'd,  delta = ||k(x, .) - P k(x, .)|| = sqrt(k(x, x) - n)
//   mistake, y f(x) <= 0:          delta <= eta: f <- f + y sum_j d_j k(x_j, .);  else f <- f + y k(x, .)
//   margin error, 0 < y f(x) < 1:  l = 1 - y f(x);  l > delta / eta: f <- f + y a sum_j d_j k(x_j, .),
//                                  a = min(l / n, 2 (l - delta / eta) / n, 1)
//
// Projectron has no step for margin errors. The first author's library DOGMA uses delta^2 in place of delta,
// in both comparisons and in a. Support vectors never leave, so the Cholesky factor of K only grows. An
// example with delta^2 below the rounding error of the kernel values (kGramTolerance) is projected for any
// eta. Once the budget is reached, every mistake is projected, without delta. With eta >= sqrt(k(x, x)) no
// example is ever added.
//
// Cost per step: |S| kernel evaluations. An update below the budget and a margin error also request k(x, x).
// O(|S|^2) time per update.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/bases/one_vs_rest.h"
#include "learners/core/sums.h"
#include "learners/solvers/gram_factor.h"

namespace okbench::projectron {

struct Options {
  double eta = 0.1;        ///< distance from the span up to which an example is projected, >= 0
  bool plus_plus = true;   ///< Projectron++: steps on margin errors
  bool squared = false;    ///< compare delta^2 instead of delta (DOGMA)
  std::size_t budget = 0;  ///< maximum number of support vectors per function; 0: no limit
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score <= 0) {
      LearnMistake(f, y);
    } else if (options_.plus_plus && y * score < 1) {
      LearnMargin(f, 1 - y * score, y);
    }
  }

  static auto State() {
    return state::List(state::Part(&Method::factor_), state::Column("additions", &Method::additions_),
                       state::Column("projections", &Method::projections_),
                       state::Column("margin_projections", &Method::margin_projections_));
  }
  bool Fits(std::size_t members) const { return factor_.size() == members; }

 private:
  // Computes k and d = K^-1 k for the current example. O(|S|^2).
  void Solve(SupportFunction<T>& f) {
    f.Values(k_);
    factor_.Solve(k_, d_);
  }
  // The distance compared with eta: delta or delta^2.
  double Distance(double squared) const { return options_.squared ? squared : std::sqrt(squared); }

  void LearnMistake(SupportFunction<T>& f, double y) {
    Solve(f);
    if (options_.budget == 0 || f.size() < options_.budget) {
      const double self = f.Self();
      if (Distance(factor_.SquaredDistance(self)) > options_.eta &&
          factor_.Grow(d_, self, kGramTolerance<T>)) {
        f.Add(y * f.weight());
        ++additions_;
        return;
      }
    }
    f.AddToAlphas(y * f.weight(), d_);
    ++projections_;
  }

  void LearnMargin(SupportFunction<T>& f, double loss, double y) {
    f.Values(k_);
    factor_.Project(k_);
    const double distance = Distance(factor_.SquaredDistance(f.Self()));
    if (options_.eta * loss <= distance) return;  // most examples, which need no d
    factor_.Combine(factor_.coordinates(), d_);
    const double norm = Dot(k_, d_);
    if (norm <= 0) return;
    const double most = std::min(loss, 2 * (loss - distance / options_.eta)) / norm;
    f.AddToAlphas(y * std::min(most, 1.0) * f.weight(), d_);
    ++margin_projections_;
  }

  Options options_;
  GramFactor factor_;
  std::uint64_t additions_ = 0, projections_ = 0, margin_projections_ = 0;
  std::vector<double> k_, d_;
};

}  // namespace okbench::projectron
