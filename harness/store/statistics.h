#pragma once
// Statistics of paired differences.

#include <cstddef>
#include <span>
#include <vector>

namespace okbench {

/// A paired t test of n differences d_i against 0.
struct PairedTest {
  std::size_t n = 0;
  double mean = 0;
  double low = 0,
         high = 0;    ///< 95 % confidence interval of the mean; both the mean when n < 2 or all are equal
  double effect = 0;  ///< Cohen's d_z: mean over standard deviation; infinite when all are equal and not 0
  double p = 1;       ///< two-sided; n < 2 cannot be tested: 1
};

/// Throws InvalidArgument for an empty list.
PairedTest TestDifferences(std::span<const double> differences);

/// Holm's step-down adjustment: p values that hold for the whole family together, in the given order.
std::vector<double> AdjustHolm(std::span<const double> p);

}  // namespace okbench
