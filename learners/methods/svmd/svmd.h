#pragma once
// SVMD (Vishwanathan, Schraudolph and Smola; svmd-2006, section 5): the online SVM with a step size adapted
// by stochastic meta-descent in the RKHS.
//
//   eta_t = eta_{t-1} max(1/2, 1 - mu <g_t, v_t>)                                (eq. 36)
//   v_{t+1} = lambda v_t - eta_t (g_t + lambda H_t v_t)                          (eq. 37)
//
// with g_t = c f_t + sum_r xi_r k((x_t, r), .) and H_t v_t = c v_t + sum_r chi_r k((x_t, r), .). The inner
// products are kept incrementally (eqs. 48 to 52). With pi = <f, v> and D = 1 - eta c, all in terms of the
// old f, v, pi, ||f||^2:
//
//   <g, v>   = c pi + xi . v(x)
//   <f, g>   = c ||f||^2 + xi . f(x)
//   <f, v'>  = D lambda pi - eta <f, g> - eta lambda chi . f(x)
//   v'(x)    = D lambda v(x) - eta (c f(x) + xi k(x,x)) - eta lambda chi k(x,x)
//   pi'      = D <f, v'> - eta xi . v'(x)
//
// With a kernel kappa between outputs, v'(x) has kappa (xi + lambda chi) in place of xi + lambda chi. The
// single-step variant has lambda = 0. As in the paper, terms dropped from the buffer are not subtracted from
// pi and ||f||^2, unless `dropped_terms` is "subtracted".
//
// Cost per step: exactly the kernel evaluations of NORMA, because v'(x) follows from v(x) and f(x). The paper
// evaluates v' again.

#include <algorithm>
#include <span>
#include <vector>

#include "learners/bases/online_svm.h"
#include "learners/core/math.h"

namespace okbench::svmd {

/// Approximation of e^a, a = -mu <g, v>, that multiplies a step size.
enum class Factor {
  kLinear,       ///< max(1/2, 1 + a) (eq. 4)
  kQuadratic,    ///< 1 + a + a^2/2 for a > -1, else 1/2 (footnote 2)
  kExponential,  ///< e^a
};

struct Options : OnlineSvmOptions {
  double mu = 0.1;                  ///< meta-step size
  double trace_decay = 0.95;        ///< lambda above, 0 .. 1
  double eta_margin0 = 1;           ///< initial step size of the margin under the exponential nu-trick
  Factor factor = Factor::kLinear;  ///< approximation of exp(-mu u) in eq. 36
  bool adapt_margin = true;         ///< also adapt the margin's step size (eq. 58); else eta_margin0
};

/// Step-size policy of OnlineSvm by meta-descent, for f, the margin (eqs. 58 to 61) and the offsets (eqs. 53
/// to 55).
class MetaDescent {
 public:
  static constexpr AuxiliaryFunction kAuxiliary = AuxiliaryFunction::kTrace;

  /// The margin and the offsets use the same mu and lambda (section 6) with eta_eps,0 = `initial_margin_step`
  /// and eta_b,0 = eta0. `factor` and `adapt_margin`: see Options.
  MetaDescent(double eta0, double mu, double lambda, double initial_margin_step,
              Factor factor = Factor::kLinear, bool adapt_margin = true)
      : eta_(eta0),
        mu_(mu),
        lambda_(lambda),
        factor_(factor),
        eta_margin_(initial_margin_step),
        adapt_margin_(adapt_margin),
        eta_offset0_(eta0) {}

  double Next(const StepView& view) { return eta_ *= Multiplier(view.c * pi_ + Dot(view.xi, view.v)); }

  template <class Expansion>
  void Advance(const StepView& view, double eta, Expansion& expansion, std::span<double> beta) {
    const double decay = 1 - eta * view.c;
    const double keep = decay * lambda_;
    const double fg = view.c * view.squared_norm + Dot(view.xi, view.f);
    const double fv = keep * pi_ - eta * fg - eta * lambda_ * Dot(view.chi, view.f);
    for (std::size_t r = 0; r < view.xi.size(); ++r) beta[r] = -eta * (view.xi[r] + lambda_ * view.chi[r]);
    const std::span<const double> products = expansion.OutputProducts(beta, view.xi);
    double xi_v = 0;
    for (std::size_t r = 0; r < view.xi.size(); ++r) {
      const double v_new = keep * view.v[r] - eta * view.c * view.f[r] + products[r] * view.self;
      xi_v += view.xi[r] * v_new;
    }
    pi_ = decay * fv - eta * xi_v;
    expansion.DecayWithTrace(decay, keep, eta * view.c);
  }

  /// eta_eps <- eta_eps max(1/2, 1 - mu v_eps G); v_eps <- lambda v_eps - eta_eps G (1 + lambda v_eps).
  double NextMargin(double log_gradient) {
    if (!adapt_margin_) return eta_margin_;
    eta_margin_ *= Multiplier(v_margin_ * log_gradient);
    v_margin_ = lambda_ * v_margin_ - eta_margin_ * log_gradient * (1 + lambda_ * v_margin_);
    return eta_margin_;
  }

  /// Updates each offset with a separate step size and trace.
  void StepOffset(std::span<const double> xi, std::span<double> offsets) {
    eta_offset_.resize(xi.size(), eta_offset0_);
    v_offset_.resize(xi.size(), 0.0);
    for (std::size_t r = 0; r < xi.size(); ++r) {
      eta_offset_[r] *= Multiplier(xi[r] * v_offset_[r]);
      offsets[r] -= eta_offset_[r] * xi[r];
      v_offset_[r] = lambda_ * v_offset_[r] - eta_offset_[r] * xi[r];
    }
  }

  double value() const { return eta_; }
  /// Subtracts the contribution of a dropped term from <f, v>.
  void Drop(double product) { pi_ -= product; }

  /// pi = <f, v>, kept incrementally.
  double pi() const { return pi_; }
  /// eta_eps of the last step.
  double margin_step() const { return eta_margin_; }
  static auto State() {
    return state::List(state::Column("trace_product", &MetaDescent::pi),
                       state::Field("eta", &MetaDescent::eta_), state::Field("pi", &MetaDescent::pi_),
                       state::Column("margin_step_size", &MetaDescent::margin_step),
                       state::Field("eta_margin", &MetaDescent::eta_margin_),
                       state::Field("v_margin", &MetaDescent::v_margin_),
                       state::Field("eta_offset", &MetaDescent::eta_offset_),
                       state::Field("v_offset", &MetaDescent::v_offset_));
  }

 private:
  // exp(-mu u) or its approximation. Propagates NaN, so that divergence is detected.
  double Multiplier(double u) const {
    if (factor_ == Factor::kExponential) return Exp(-mu_ * u);
    if (factor_ == Factor::kQuadratic) {
      const double a = -mu_ * u;
      return a <= -1 ? 0.5 : 0.5 * a * a + a + 1;
    }
    const double factor = 1 - mu_ * u;
    return factor < 0.5 ? 0.5 : factor;
  }

  double eta_;
  double mu_;
  double lambda_;
  Factor factor_;
  double pi_ = 0;
  double eta_margin_;
  bool adapt_margin_;
  double v_margin_ = 0;
  double eta_offset0_;
  std::vector<double> eta_offset_, v_offset_;
};

}  // namespace okbench::svmd
