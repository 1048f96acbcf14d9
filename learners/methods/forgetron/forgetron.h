#pragma once
// Forgetron, self-tuned (Dekel, Shalev-Shwartz and Singer, SIAM Journal on Computing 37, 2008, section 5): a
// perceptron with a budget of B support vectors. On a mistake, adds the example. Over budget, then shrinks
// all coefficients by phi and removes the oldest support vector r, whose coefficient is sigma y_r:
//
//   f' = f + y k(x, .),  mu = y_r f'(x_r),  psi(p) = (sigma p)^2 + 2 sigma p (1 - p mu)          (eq. 27)
//   phi = max { p in (0, 1] : psi(p) <= 15/32 M - Q }
//   f <- phi f' without r,  Q <- Q + psi(phi)
//
// M counts the mistakes so far, including this one; Q sums the psi(phi) so far. Mistake bound for k(x, x) <=
// 1 and B >= 84, for every g with ||g|| <= sqrt((B + 1) / ln(B + 1)) / 4:
//
//   M <= 2 ||g||^2 + 4 sum_t max(0, 1 - y_t g(x_t))
//
// Cost per step: |S| kernel evaluations, |S| more on a removal.

#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::forgetron {

struct Options : BudgetedOptions {};

/// Returns the largest phi in (0, 1] with a phi^2 + b phi <= limit. If it is below 1, it is the only root in
/// (0, 1), computed without cancellation for either sign of a.
/// REQUIRES: b >= 0, limit > 0.
double LargestShrink(double a, double b, double limit);

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : budget_(options.budget) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 0); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score > 0) return;
    ++updates_;
    double phi = 1;
    if (f.size() >= budget_) {
      phi = Shrink(f, y);
      f.Multiply(phi);
      f.Remove(0);
      ++removals_;
    }
    f.Add(phi * y);
  }

  static auto State() {
    return state::List(state::Column("updates", &Method::updates_),
                       state::Column("removals", &Method::removals_), state::Field("Q", &Method::spent_));
  }

  /// Q; at most 15/32 of the mistakes, up to rounding.
  double spent() const { return spent_; }

 private:
  // Computes phi and updates Q. Requests the kernel row of the oldest support vector over S; its value with
  // x_t is known.
  double Shrink(SupportFunction<T> f, double y) {
    f.MemberRow(0, row_);
    double score = 0;
    for (std::size_t j = 0; j < row_.size(); ++j) score += f.alpha(j) * row_[j];
    score += y * f.Value(0);
    const double oldest = f.alpha(0);
    const double sigma = oldest < 0 ? -oldest : oldest, m = oldest < 0 ? -score : score;
    const double a = sigma * (sigma - 2 * m), b = 2 * sigma;
    const double phi = LargestShrink(a, b, 15.0 / 32.0 * static_cast<double>(updates_) - spent_);
    spent_ += phi * (a * phi + b);
    return phi;
  }

  std::size_t budget_;
  std::uint64_t updates_ = 0, removals_ = 0;
  double spent_ = 0;
  std::vector<double> row_;
};

}  // namespace okbench::forgetron
