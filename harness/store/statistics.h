#pragma once
// Paired t test and Holm's adjustment for multiple tests.

#include <cstddef>
#include <span>
#include <vector>

namespace okbench {

/// Two-sided paired t test of n differences d_i against mean 0.
struct PairedTest {
  std::size_t n = 0;
  double mean = 0;
  double low = 0,
         high = 0;    ///< 95 % confidence interval of the mean; both the mean if n < 2 or all d_i are equal
  double effect = 0;  ///< Cohen's d_z = mean / standard deviation; infinite if all d_i are equal and not 0
  double p = 1;       ///< two-sided p value; 1 if n < 2
};

/// Runs the test. Throws InvalidArgument for an empty list.
PairedTest TestDifferences(std::span<const double> differences);

/// Holm's (1979) step-down adjustment of m p values, which controls the family-wise error rate. With the p
/// values sorted ascending, adjusted_(k) = max over j <= k of min(1, (m - j + 1) p_(j)).
/// Returns the adjusted values in the order of `p`.
std::vector<double> AdjustHolm(std::span<const double> p);

}  // namespace okbench
