#pragma once
// Kernel passive-aggressive, PA-I (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7, 2006, figure
// 1), without a budget: makes the least change of f that gives the margin 1, with a coefficient of at most C.
//
//   l = max(0, 1 - y f(x)),  tau = min(C, l / k(x, x)),  f <- f + tau y k(x, .)
//
// An example with k(x, x) = 0 is never added: it is the zero vector of the feature space.
//
// Cost per step: |S| kernel evaluations, and k(x, x) on a margin error.

#include <algorithm>
#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::passive_aggressive {

struct Options {
  double c = 1;  ///< C: aggressiveness, upper bound of tau
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : c_(options.c) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    const double loss = 1 - y * score;
    if (loss <= 0) return;
    const double self = f.Self();
    if (self <= 0) return;
    f.Add(y * std::min(c_ * f.weight(), loss / self));
    ++updates_;
  }

  static auto State() { return state::List(state::Column("updates", &Method::updates_)); }

 private:
  double c_;
  std::uint64_t updates_ = 0;
};

}  // namespace okbench::passive_aggressive
