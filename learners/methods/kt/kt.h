#pragma once
// KT, coin betting in a Hilbert space with the estimator of Krichevsky and Trofimov (Orabona and Pal, NIPS
// 2016), on the hinge loss; it has no step size.
//
//   f_t = W_{t-1} / t theta_{t-1},  W_t = W_{t-1} - g_t f_t(x_t),  theta_t = theta_{t-1} - g_t k(x_t, .)
//
// with W_0 = 1, theta_0 = 0, and g_t the hinge's derivative by f: -y where y f_t(x_t) < 1, else 0. The
// gradient's norm |g_t| sqrt(k(x_t, x_t)) has to be at most 1: then the wealth W stays positive, and for
// every u
//
//   sum_t max(0, 1 - y f_t(x_t)) - max(0, 1 - y u(x_t)) <= ||u|| sqrt(T ln(1 + 24 T^2 ||u||^2)) + 1.
//
// k(x, x) = 1 of an RBF kernel is part of this and not asked for. Of another one it is asked for where g is
// not 0.

#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::kt {

struct Options {};

/// Throws InvalidArgument for k(x, x) > 1, but for what rounding leaves of rows of norm 1.
void RequireUnit(double self);

template <class T>
class Method {
 public:
  Method(const Options& /*options*/, const FunctionContext& context)
      : unit_(context.kernel.kind == KernelKind::kRbf) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  /// The function's factor is W_{t-1} / t as it comes and W_t / (t + 1) as it goes: what is stored are the
  /// coefficients of theta, each +1 or -1.
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

  static std::vector<std::string> Columns() { return {"updates", "wealth"}; }
  void Report(std::span<double> out) const {
    out[0] = static_cast<double>(updates_);
    out[1] = wealth_;
  }
  void Serialize(Archive& archive) {
    archive.Field("wealth", wealth_);
    archive.Field("steps", steps_);
    archive.Field("updates", updates_);
  }

  /// W_t.
  double wealth() const { return wealth_; }

 private:
  bool unit_;  // k(x, x) = 1 by definition
  double wealth_ = 1;
  std::uint64_t steps_ = 0, updates_ = 0;
};

}  // namespace okbench::kt
