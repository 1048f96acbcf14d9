#include "learners/bsgd/merge.h"

#include <cmath>

#include "learners/core/math.h"

namespace okbench::bsgd {

Merge MergePair(double p, double q, double kappa) {
  const double total = p + q, m = p / total;
  const double squares = p * p + q * q + 2 * p * q * kappa;
  // Terms that have nothing to do with each other: the larger one stays as it is.
  if (kappa <= 0) {
    const bool first = std::fabs(p) > std::fabs(q);
    const double kept = first ? p : q;
    return {.h = first ? 1.0 : 0.0, .alpha = kept, .loss = squares - kept * kept};
  }
  const double log = Log(kappa);
  const auto value = [m, log](double h) {
    return m * Exp((1 - h) * (1 - h) * log) + (1 - m) * Exp(h * h * log);
  };
  constexpr double kGolden = 0x1.3c6ef372fe95p-1;  // (sqrt(5) - 1) / 2
  double low = 0, high = 1;
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = value(left), at_right = value(right);
  for (int step = 0; step < kGoldenSteps; ++step) {
    if (at_right > at_left + kTie) {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = value(right);
    } else {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = value(left);
    }
  }
  const double h = (low + high) / 2;
  const double alpha = total * value(h);
  return {.h = h, .alpha = alpha, .loss = squares - alpha * alpha};
}

}  // namespace okbench::bsgd
