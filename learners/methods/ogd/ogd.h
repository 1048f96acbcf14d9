#pragma once
// Kernel online gradient descent on the hinge loss, without a budget and without regularisation (Kivinen,
// Smola and Williamson 2004 with lambda = 0; the baseline "OGD" of Lu, Hoi, Wang, Zhao and Liu, JMLR 17,
// 2016).
//
//   f <- f + eta y k(x, .)  when y f(x) < 1
//
// Cost per step: |S| kernel evaluations.

#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::ogd {

struct Options {
  double eta = 0.5;  ///< step size
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : eta_(options.eta) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score >= 1) return;
    f.Add(eta_ * y * f.weight());
    ++updates_;
  }

  static auto State() { return state::List(state::Column("updates", &Method::updates_)); }

 private:
  double eta_;
  std::uint64_t updates_ = 0;
};

}  // namespace okbench::ogd
