#pragma once
// AdaptiveMargin: the margin of a loss, fixed or adapted by the nu-trick.
//
// With e = [margin error] the trick adds -nu eps to the loss, so that d l / d eps = e - nu drives the share
// of margin errors to nu. Two updates:
//   exponential (eqs. 57 to 61 of svmd-2006, eps > 0 always): G = eps (e - nu),
//       eps' = eps exp(-eta_eps G)
//   additive (norma-2001, section 3): eps' = eps - eta (e - nu)

#include <string>

namespace okbench {

class AdaptiveMargin {
 public:
  enum class Update { kFixed, kExponential, kAdditive };

  /// A margin that never moves.
  explicit AdaptiveMargin(double margin) : margin_(margin) {}
  /// A margin adapted to a share `nu` of margin errors, 0 < nu < 1.
  AdaptiveMargin(double margin, double nu, Update update) : margin_(margin), nu_(nu), update_(update) {}

  double value() const { return margin_; }
  bool adapted() const { return update_ != Update::kFixed; }
  /// The exponential update has a step size of its own; the additive one takes eta_t.
  bool exponential() const { return update_ == Update::kExponential; }
  /// What the trick adds to the loss of every example.
  double LossTerm() const { return adapted() ? -nu_ * margin_ : 0; }
  /// G, the derivative with respect to log eps, for an example with or without a margin error.
  double LogGradient(bool margin_error) const { return margin_ * ((margin_error ? 1 : 0) - nu_); }
  /// One gradient step with step size `eta`; does nothing when the margin is fixed.
  void Step(bool margin_error, double eta);

 private:
  double margin_;
  double nu_ = 0;
  Update update_ = Update::kFixed;
};

}  // namespace okbench
