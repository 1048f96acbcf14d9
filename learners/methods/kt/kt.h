#pragma once
// KT (Orabona and Pal, NIPS 2016): coin betting in a Hilbert space with the Krichevsky-Trofimov estimator, on
// the hinge loss. It has no step size.
//
//   f_t = W_{t-1} / t theta_{t-1},  W_t = W_{t-1} - g_t f_t(x_t),  theta_t = theta_{t-1} - g_t k(x_t, .)
//
// Here W_0 = 1, theta_0 = 0, and g_t is the derivative of the hinge loss at f_t(x_t): -y if y f_t(x_t) < 1,
// else 0.
//
// REQUIRES: k(x, x) <= 1, so that the gradient norm |g_t| sqrt(k(x_t, x_t)) is at most 1. Then the wealth W
// stays positive, and for every u
//
//   sum_t max(0, 1 - y f_t(x_t)) - max(0, 1 - y u(x_t)) <= ||u|| sqrt(T ln(1 + 24 T^2 ||u||^2)) + 1.
//
// Cost per step: |S| kernel evaluations. On a margin error k(x, x) is also requested to check the
// precondition, except for an RBF kernel, where it is 1.

#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::kt {

struct Options {};

/// Throws InvalidArgument if `self` = k(x, x) exceeds 1 by more than the rounding of rows of norm 1 (1e-4).
void RequireUnit(double self);

template <class T>
class Method {
 public:
  Method(const Options& /*options*/, const FunctionContext& context)
      : unit_(context.kernel.kind == KernelKind::kRbf && context.kernel.bias == 0) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  /// The stored coefficients are those of theta, each +1 or -1. The scale of `f` is W_{t-1} / t on entry and
  /// W_t / (t + 1) on return.
  void Learn(SupportFunction<T> f, double score, double y) {
    const bool moves = y * score < 1;
    if (moves && !unit_) RequireUnit(f.Self());
    if (moves) wealth_ += y * score;
    ++steps_;
    const double factor = wealth_ / static_cast<double>(steps_ + 1);
    f.SetScale(factor);
    if (!moves) return;
    f.Add(y * factor);
    ++updates_;
  }

  static auto State() {
    return state::List(state::Field("wealth", &Method::wealth_), state::Field("steps", &Method::steps_),
                       state::Column("updates", &Method::updates_), state::Column("wealth", &Method::wealth));
  }

  /// Wealth W_t after t steps.
  double wealth() const { return wealth_; }

 private:
  bool unit_;  // k(x, x) = 1: RBF kernel
  double wealth_ = 1;
  std::uint64_t steps_ = 0, updates_ = 0;
};

}  // namespace okbench::kt
