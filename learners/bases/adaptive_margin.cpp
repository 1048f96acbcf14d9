#include "learners/bases/adaptive_margin.h"

#include <algorithm>

#include "learners/core/math.h"

namespace okbench {
namespace {

constexpr double kNarrowest = 1e-12;  // smallest width of a tube

}  // namespace

void AdaptiveMargin::Step(double e, double eta) {
  switch (update_) {
    case Update::kFixed:
      return;
    case Update::kExponential:
      margin_ *= Exp(-eta * LogGradient(e));
      return;
    case Update::kAdditive: {
      const double stepped = margin_ - eta * Gradient(e);
      margin_ = sign_ < 0 ? std::max({stepped, margin_ / 2, kNarrowest}) : stepped;
      return;
    }
  }
}

}  // namespace okbench
