#pragma once
// AdaptiveMargin: the parameter of a loss, fixed or adapted by the nu-trick. It is the margin of
// classification and novelty detection, or the width of the tube of regression.
//
// Let e = [margin error], times Delta(y, y*) for losses with label distances (eq. 28). For a margin the trick
// adds -nu eps to the loss, so d l / d eps = e - nu drives the mean of e to nu. For a tube it adds nu eps, so
// d l / d eps = nu - e. With s = 1 for a margin and -1 for a tube there are two updates:
//   exponential (eqs. 57 to 61 of svmd-2006; eps stays > 0), margins only: G = eps (e - nu),
//       eps' = eps exp(-eta_eps G). A tube that is too narrow would grow without bound, then collapse.
//   additive (norma-2001, section 3): eps' = eps - eta s (e - nu). One step at most halves a
//       tube, and its width stays >= 1e-12.

#include <string>

#include "learners/core/archive.h"
#include "learners/losses/loss.h"

namespace okbench {

class AdaptiveMargin {
 public:
  enum class Update { kFixed, kExponential, kAdditive };

  /// A fixed margin.
  explicit AdaptiveMargin(double margin) : margin_(margin) {}
  /// A margin or tube adapted to a share `nu` of margin errors. REQUIRES: 0 < nu < 1.
  AdaptiveMargin(double margin, double nu, Update update, LossParameter kind = LossParameter::kMargin)
      : margin_(margin), nu_(nu), update_(update), sign_(kind == LossParameter::kTube ? -1 : 1) {}

  double value() const { return margin_; }
  bool adapted() const { return update_ != Update::kFixed; }
  /// The exponential update uses a separate step size; the additive one uses eta_t.
  bool exponential() const { return update_ == Update::kExponential; }
  /// Term that the trick adds to the loss of every example; 0 for a fixed margin.
  double LossTerm() const { return adapted() ? -sign_ * nu_ * margin_ : 0; }
  /// G = d l / d log eps of an example with margin error e.
  double LogGradient(double e) const { return margin_ * Gradient(e); }
  /// Does one gradient step with step size `eta`. A fixed margin does not change.
  void Step(double e, double eta);
  void Serialize(Archive& archive) { archive.Field("margin", margin_); }

 private:
  double Gradient(double e) const { return sign_ * (e - nu_); }

  double margin_;
  double nu_ = 0;
  Update update_ = Update::kFixed;
  double sign_ = 1;
};

}  // namespace okbench
