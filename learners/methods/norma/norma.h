#pragma once
// NORMA (Kivinen, Smola and Williamson; norma-2001, section 3; svmd-2006, section 4): the online SVM with a
// step size that follows a fixed schedule. Step t = 1, 2, ... (OnlineSvm):
//
//   f <- (1 - eta_t c) f - eta_t dl/df(x_t) k(x_t, .)
//   constant       eta_t = eta_0
//   sqrt-decay     eta_t = eta_0 sqrt(tau / (tau + t))      (eq. 62 of svmd-2006)
//   inverse-sqrt   eta_t = eta_0 / sqrt(t)                  (theorem 2 and figure 1 of norma-2001)
//
// The offset and the additive nu-trick also use eta_t. The exponential nu-trick has a separate initial step
// size on the same schedule.
//
// Cost per step: |S| kernel evaluations, one more (k(x_t, x_t)) when the derivative is not 0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "learners/bases/online_svm.h"

namespace okbench::norma {

/// Step-size schedule, see above.
enum class Schedule { kConstant, kSqrtDecay, kInverseSqrt };

struct Options : OnlineSvmOptions {
  Schedule schedule = Schedule::kSqrtDecay;
  double tau = 100;             ///< time constant of kSqrtDecay, > 0
  double eta_margin0 = 1;       ///< initial step size of the margin under the exponential nu-trick
  double truncation_error = 0;  ///< if > 0, determines the buffer (TruncationBuffer)
  bool average = false;         ///< measure the average of the hypotheses
  /// Throws InvalidArgument if parameters contradict each other.
  void Validate() const;
  /// The checks of truncation_error and average alone: they must hold before a buffer is chosen or a cost
  /// estimated.
  void ValidateBuffer() const;
};

/// eta_t / eta_0 at step t >= 1.
inline double ScheduleFactor(Schedule schedule, double tau, std::uint64_t step) {
  const auto t = static_cast<double>(step);
  switch (schedule) {
    case Schedule::kConstant:
      return 1;
    case Schedule::kSqrtDecay:
      return std::sqrt(tau / (tau + t));
    case Schedule::kInverseSqrt:
      return 1 / std::sqrt(t);
  }
  return 1;
}

/// Step-size policy of OnlineSvm with a fixed schedule.
class ScheduledStep {
 public:
  static constexpr AuxiliaryFunction kAuxiliary = AuxiliaryFunction::kNone;

  /// `initial_margin_step`: eta_eps,0 of the nu-trick, on the same schedule.
  ScheduledStep(Schedule schedule, double eta0, double tau, double initial_margin_step)
      : schedule_(schedule), eta0_(eta0), tau_(tau), margin_step_(initial_margin_step) {}

  double Next(const StepView& /*view*/) {
    ++t_;
    return eta_ = eta0_ * Factor();
  }

  template <class Expansion>
  void Advance(const StepView& view, double eta, Expansion& expansion, std::span<double> /*beta*/) {
    expansion.Decay(1 - eta * view.c);
  }

  double NextMargin(double /*log_gradient*/) { return margin_step_ * Factor(); }

  void StepOffset(std::span<const double> xi, std::span<double> offsets) {
    for (std::size_t r = 0; r < xi.size(); ++r) offsets[r] -= eta_ * xi[r];
  }

  double value() const { return eta_; }
  std::uint64_t steps() const { return t_; }
  static auto State() {
    return state::List(state::Field("eta", &ScheduledStep::eta_), state::Field("t", &ScheduledStep::t_));
  }

 private:
  double Factor() const { return ScheduleFactor(schedule_, tau_, t_); }

  Schedule schedule_;
  double eta0_;
  double tau_;
  double margin_step_;
  double eta_ = 0;
  std::uint64_t t_ = 0;
};

/// A scheduled step that also maintains the average of the hypotheses (theorem 3 of norma-2001). Steps are
/// those of NORMA; measurements are of the average:
///   fbar_t = (1/t) sum_{i=1..t} f_i,   where f_i is the hypothesis that predicted example i, f_1 = 0.
/// With w = 1/t, D = 1 - eta_t c, n = ||fbar||^2 and q = <fbar_t, f_{t+1}>, without further kernel values:
///   n' = (1-w)^2 n + 2 w (1-w) q + w^2 ||f_t||^2,   p = <fbar_t, f_t> = (1-w) q + w ||f_t||^2,
///   q' = D p - eta_t sum_r xi_r fbar_t(x_t, r),     fbar_t(x) = (1-w) fbar_{t-1}(x) + w f_t(x).
class AveragedStep : public ScheduledStep {
 public:
  static constexpr AuxiliaryFunction kAuxiliary = AuxiliaryFunction::kAverage;

  explicit AveragedStep(const ScheduledStep& step) : ScheduledStep(step) {}

  template <class Expansion>
  void Advance(const StepView& view, double eta, Expansion& expansion, std::span<double> beta) {
    const double w = 1 / static_cast<double>(steps());
    const double with_f = (1 - w) * product_ + w * view.squared_norm;
    norm_ = (1 - w) * (1 - w) * norm_ + 2 * w * (1 - w) * product_ + w * w * view.squared_norm;
    const double decay = 1 - eta * view.c;
    product_ = decay * with_f - eta * ((1 - w) * Dot(view.xi, view.v) + w * Dot(view.xi, view.f));
    expansion.MixTrace(w);
    std::fill(beta.begin(), beta.end(), 0.0);
    ScheduledStep::Advance(view, eta, expansion, beta);
  }

  /// Squared norm ||fbar_t||^2.
  double average_squared_norm() const { return norm_; }
  static auto State() {
    return std::tuple_cat(
        ScheduledStep::State(),
        state::List(state::Field("average_norm", &AveragedStep::norm_),
                    state::Column("average_squared_norm", &AveragedStep::average_squared_norm),
                    state::Field("average_product", &AveragedStep::product_)));
  }

 private:
  double norm_ = 0;
  double product_ = 0;
};

/// Buffer size for a truncation error (proposition 1 of norma-2001). A hypothesis that keeps only the terms
/// of the last `kept` examples differs from the full one by a norm of at most
///   (slope / c) prod_{j = T-kept+1 .. T} (1 - eta_j c)
/// after T steps, because later steps shrink the terms of step i: eta_i c prod_{j > i} (1 - eta_j c)
/// telescopes. Returns the least `kept`, 1 <= kept <= steps, for which this bound is at most `error` at
/// T = `steps`, and so at every smaller T.
/// REQUIRES: c > 0, eta_0 c <= 1, |dl/df| <= slope, ||k(x, .)|| <= 1, non-increasing step sizes.
std::size_t TruncationBuffer(Schedule schedule, double eta0, double tau, double c, double slope,
                             std::uint64_t steps, double error);

}  // namespace okbench::norma
