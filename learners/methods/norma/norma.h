#pragma once
// NORMA (Kivinen, Smola, Williamson; norma-2001; section 4 of svmd-2006): the online SVM whose step size
// follows a fixed schedule.
//
//   constant       eta_t = eta_0
//   sqrt-decay     eta_t = eta_0 sqrt(tau / (tau + t))      (eq. 62 of svmd-2006)
//   inverse-sqrt   eta_t = eta_0 / sqrt(t)                  (theorem 2 and figure 1 of norma-2001)
//
// t = 1, 2, ... counts steps. The step itself is OnlineSvm's. The offset and the additive nu-trick take
// eta_t, too; the exponential nu-trick has an initial step size of its own on the same schedule.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/online_svm.h"

namespace okbench::norma {

enum class Schedule { kConstant, kSqrtDecay, kInverseSqrt };

struct Options : OnlineSvmOptions {
  Schedule schedule = Schedule::kSqrtDecay;
  double tau = 100;             ///< time constant of kSqrtDecay, > 0
  double eta_margin0 = 1;       ///< initial step size of the margin under the exponential nu-trick
  double truncation_error = 0;  ///< > 0: chooses the buffer (TruncationBuffer)
  bool average = false;         ///< the average of the hypotheses is measured
  /// Throws InvalidArgument when parameters contradict each other.
  void Validate() const;
  /// What of that can be said before a buffer is chosen, and a cost estimated.
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

class ScheduledStep {
 public:
  static constexpr AuxiliaryFunction kAuxiliary = AuxiliaryFunction::kNone;

  /// `initial_margin_step` is eta_eps,0 of the nu-trick, which follows the same schedule.
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
  std::vector<std::string> Columns() const { return {}; }
  void Report(std::span<double> /*out*/) const {}
  void Serialize(Archive& archive) {
    archive.Field("eta", eta_);
    archive.Field("t", t_);
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

/// A scheduled step beside which the average of the hypotheses is kept; measurements are of the average
/// (theorem 3 of norma-2001), the steps themselves are those of NORMA:
///   fbar_t = (1/t) sum_{i=1..t} f_i,   f_i being the hypothesis that predicted example i, so that f_1 = 0.
/// With w = 1/t, n = ||fbar||^2 and q = <fbar_t, f_{t+1}>, all kept without further kernel values:
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

  /// ||fbar_t||^2.
  double average_squared_norm() const { return norm_; }
  std::vector<std::string> Columns() const { return {"average_squared_norm"}; }
  void Report(std::span<double> out) const { out[0] = norm_; }
  void Serialize(Archive& archive) {
    ScheduledStep::Serialize(archive);
    archive.Field("average_norm", norm_);
    archive.Field("average_product", product_);
  }

 private:
  double norm_ = 0;
  double product_ = 0;
};

/// Proposition 1 of norma-2001. A hypothesis drops the terms that are at least `kept` steps old, that is all
/// but the last `kept` examples; with |dl/df| <= slope, ||k(x, .)|| <= 1 and step sizes that do not grow,
/// what it loses by that has a norm of at most
///   (slope / c) prod_{j = T-kept+1 .. T} (1 - eta_j c),
/// the terms of step i having been shrunk by every later step: eta_i c prod_{j > i} (1 - eta_j c) telescopes.
/// Returns the least `kept`, 1 <= kept <= steps, for which this is at most `error` after `steps` steps, and
/// so after any number before. eta_0 c <= 1.
std::size_t TruncationBuffer(Schedule schedule, double eta0, double tau, double c, double slope,
                             std::uint64_t steps, double error);

}  // namespace okbench::norma
