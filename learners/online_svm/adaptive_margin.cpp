#include "learners/online_svm/adaptive_margin.h"

#include "learners/core/math.h"

namespace okbench {

void AdaptiveMargin::Step(bool margin_error, double eta) {
  switch (update_) {
    case Update::kFixed:
      return;
    case Update::kExponential:
      margin_ *= Exp(-eta * LogGradient(margin_error));
      return;
    case Update::kAdditive:
      margin_ -= eta * ((margin_error ? 1 : 0) - nu_);
      return;
  }
}

}  // namespace okbench
