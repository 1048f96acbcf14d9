#pragma once
// AdaptiveMargin: the parameter of a loss, fixed or adapted by the nu-trick: the margin of classification and
// novelty detection, or the width of the tube of regression.
//
// With e = [margin error], times Delta(y, y*) where a loss has label distances (eq. 28), the trick adds
// -nu eps to the loss of a margin, so that d l / d eps = e - nu drives the mean of e to nu. A tube is the
// mirror image: the trick adds nu eps, d l / d eps = nu - e. With s = 1 for a margin and -1 for a tube there
// are two updates:
//   exponential (eqs. 57 to 61 of svmd-2006, eps > 0 always), for a margin alone: G = eps (e - nu),
//       eps' = eps exp(-eta_eps G). A tube would grow without bound where it is too narrow, and collapse.
//   additive (norma-2001, section 3): eps' = eps - eta s (e - nu). A tube has to stay open: a step takes it
//       to half its width at the least, and never below 1e-12.

#include <string>

#include "learners/core/archive.h"
#include "learners/losses/loss.h"

namespace okbench {

class AdaptiveMargin {
 public:
  enum class Update { kFixed, kExponential, kAdditive };

  /// A margin that never moves.
  explicit AdaptiveMargin(double margin) : margin_(margin) {}
  /// A margin, or a tube, adapted to a share `nu` of margin errors, 0 < nu < 1.
  AdaptiveMargin(double margin, double nu, Update update, LossParameter kind = LossParameter::kMargin)
      : margin_(margin), nu_(nu), update_(update), sign_(kind == LossParameter::kTube ? -1 : 1) {}

  double value() const { return margin_; }
  bool adapted() const { return update_ != Update::kFixed; }
  /// The exponential update has a step size of its own; the additive one takes eta_t.
  bool exponential() const { return update_ == Update::kExponential; }
  /// What the trick adds to the loss of every example.
  double LossTerm() const { return adapted() ? -sign_ * nu_ * margin_ : 0; }
  /// G, the derivative with respect to log eps, of an example with this e.
  double LogGradient(double e) const { return margin_ * Gradient(e); }
  /// One gradient step with step size `eta`; does nothing when the margin is fixed.
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
