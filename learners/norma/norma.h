#pragma once
// NORMA (Kivinen, Smola, Williamson; norma-2001; section 4 of svmd-2006): the online SVM whose step size
// follows a fixed schedule.
//
//   constant       eta_t = eta_0
//   sqrt-decay     eta_t = eta_0 sqrt(tau / (tau + t))      (eq. 62 of svmd-2006)
//   inverse-sqrt   eta_t = eta_0 / sqrt(t)                  (theorem 2 and figure 1 of norma-2001)
//
// t = 1, 2, ... counts steps. The step itself is OnlineSvm's. The offset and
// the additive nu-trick take eta_t, too; the exponential nu-trick has an initial step size of its own on the
// same schedule.

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/online_svm/online_svm.h"

namespace okbench::norma {

class ScheduledStep {
 public:
  static constexpr bool kTrace = false;
  enum class Schedule { kConstant, kSqrtDecay, kInverseSqrt };

  /// `initial_margin_step` is eta_eps,0 of the nu-trick, which follows the same schedule.
  ScheduledStep(Schedule schedule, double eta0, double tau, double initial_margin_step)
      : schedule_(schedule), eta0_(eta0), tau_(tau), margin_step_(initial_margin_step) {}

  double Next(const StepView& /*view*/) {
    ++t_;
    return eta_ = eta0_ * Factor();
  }

  template <class T>
  void Advance(const StepView& view, double eta, CircularExpansion<T>& expansion,
               std::span<double> /*beta*/) {
    expansion.Decay(1 - eta * view.c);
  }

  double NextMargin(double /*log_gradient*/) { return margin_step_ * Factor(); }

  void StepOffset(std::span<const double> xi, std::span<double> offsets) {
    for (std::size_t r = 0; r < xi.size(); ++r) offsets[r] -= eta_ * xi[r];
  }

  double value() const { return eta_; }
  std::vector<std::string> Columns() const { return {}; }
  void Report(std::span<double> /*out*/) const {}

 private:
  double Factor() const {
    const auto t = static_cast<double>(t_);
    switch (schedule_) {
      case Schedule::kConstant:
        return 1;
      case Schedule::kSqrtDecay:
        return std::sqrt(tau_ / (tau_ + t));
      case Schedule::kInverseSqrt:
        return 1 / std::sqrt(t);
    }
    return 1;
  }

  Schedule schedule_;
  double eta0_;
  double tau_;
  double margin_step_;
  double eta_ = 0;
  std::uint64_t t_ = 0;
};

/// The registry's entry.
LearnerInfo Describe();

}  // namespace okbench::norma
