#pragma once
// AIOLI (Jezequel, Gaillard and Rudi, "Efficient improper learning for online logistic regression", COLT
// 2020), on the span of a dictionary: online kernel logistic regression that predicts with both labels of
// the example in mind. With l_t(z) = log(1 + exp(-y_t z)), the features phi of the dictionary
// (solvers/dictionary_ridge.h), and w in that space,
//
//   w_t = argmin_w  sum_{s < t} q_s(w) + log(1 + exp(-w'phi_t)) + log(1 + exp(w'phi_t)) + lambda ||w||^2
//   z_t = w_t'phi_t
//   q_s(w) = l_s(z_s) + g_s'(w - w_s) + eta_s/2 (g_s'(w - w_s))^2,  g_s = l_s'(z_s) phi_s,
//   eta_s = exp(y_s z_s) / (1 + B R)
//
// B bounds the norm of the comparator and R that of the inputs. With A = 2 lambda I + sum eta_s g_s g_s' and
// b = sum (eta_s l_s'(z_s) z_s - 1) g_s, the prediction solves one equation in one unknown, by Newton's
// method:
//
//   z_t = phi_t'A^-1 b - tanh(z_t / 2) phi_t'A^-1 phi_t
//
// The dictionary grows as in PKAWV (methods/pkawv). Test sets are predicted by phi'A^-1 b, whose sign is that
// of z. The instance weight multiplies q.
//
// Cost per step: |S| kernel evaluations, one more (k(x, x)) while the dictionary may grow, and O(|S|^2) time.

#include <cmath>

#include "learners/bases/growing_dictionary.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/math.h"

namespace okbench::aioli {

struct Options : DictionaryOptions {
  double lambda = 0.01;  ///< regulariser: lambda ||f||^2 + sum of losses, > 0
  double bound = 1;      ///< B R, >= 0
};

/// The z with z + v tanh(z / 2) = s. REQUIRES: v >= 0, s is finite.
inline double ImproperScore(double s, double v) {
  // For z > 0 the left side is concave, so Newton's steps from 0 rise to the root and never pass it.
  const double target = std::fabs(s);
  double z = 0;
  for (int step = 0; step < 100; ++step) {
    const double e = Exp(-z), t = (1 - e) / (1 + e);  // tanh(z / 2)
    const double next = z + (target - z - v * t) / (1 + v / 2 * (1 - t * t));
    if (!(next > z)) break;
    z = next;
  }
  return s < 0 ? -z : z;
}

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/)
      : bound_(options.bound), dictionary_(options, 2 * options.lambda) {}

  LossValue Evaluate(double f, double y) const {
    // log(1 + exp(-m)) = max(0, -m) + log(1 + exp(-|m|)): no overflow.
    const double m = y * f;
    const double loss = std::max(0.0, -m) + Log(1 + Exp(-std::fabs(m)));
    return {.loss = loss, .mistake = m <= 0, .margin_error = m <= 0, .violation = -m};
  }
  double Predict(SupportFunction<T> f, double score) { return ImproperScore(score, dictionary_.Decide(f)); }
  void Learn(SupportFunction<T> f, double z, double y) {
    // e = exp(y z). Each factor is computed without overflow.
    const double small = Exp(-std::fabs(z)), share = 1 / (1 + small);
    const double wrong = y * z > 0 ? small * share : share;  // 1 / (1 + e)
    const double right = y * z > 0 ? share : small * share;  // e / (1 + e)
    const double slope = -y * wrong;                         // l'(z)
    const double curvature = wrong * right / (1 + bound_);   // eta l'(z)^2
    dictionary_.Learn(f, f.weight() * curvature, f.weight() * (curvature * z - slope));
  }

  static auto State() { return state::List(state::Part(&Method::dictionary_)); }
  bool Fits(std::size_t members) const { return dictionary_.size() == members; }

 private:
  double bound_;
  GrowingDictionary<T> dictionary_;
};

}  // namespace okbench::aioli
