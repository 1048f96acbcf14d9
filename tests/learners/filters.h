#pragma once
// Shared code of the tests of kernel adaptive filters: the Lorenz series and errors in decibel.

#include <cmath>
#include <vector>

#include "learners/bases/one_vs_rest.h"
#include "tests/helpers.h"

namespace okbench::testing {

inline LearnerContext<double> FilterContext(const Examples<double>& rows, const Kernel& kernel) {
  return {.train = &rows, .test = nullptr, .kernel = kernel};
}

/// Rows with one feature.
inline Examples<double> Pairs(std::vector<double> x, std::vector<double> y) {
  return Examples<double>::Regression(1, std::move(x), {.targets = y, .truth = y});
}

/// One-step prediction of the third component of the Lorenz system from its last six values, 10000 examples;
/// zeros before the start. Euler's rule with step 0.01, sigma 10, rho 28, beta 8/3, started at (10, 7, 35):
/// the first 1634 values are those of lorenz.dat of kafbox, on which it prints errors.
inline Examples<double> LorenzRows() {
  constexpr std::size_t kSteps = 10000, kInputs = 6;
  std::vector<double> series(kInputs - 1, 0.0), values, targets;
  double x = 10, y = 7, z = 35;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    series.push_back(z);
    const double dx = 10 * (y - x), dy = x * (28 - z) - y, dz = x * y - 8.0 / 3 * z;
    x += 0.01 * dx;
    y += 0.01 * dy;
    z += 0.01 * dz;
  }
  for (std::size_t i = 0; i < kSteps; ++i) {
    values.insert(values.end(), series.begin() + static_cast<std::ptrdiff_t>(i),
                  series.begin() + static_cast<std::ptrdiff_t>(i + kInputs));
    targets.push_back(series[i + kInputs]);
  }
  return Examples<double>::Regression(kInputs, values, {.targets = targets, .truth = targets});
}

/// 10 log10 of the mean squared error of the predictions before each update, after the first 1000 steps.
inline double Decibel(StreamLearner& learner, const Examples<double>& rows) {
  double sum = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const double error = learner.Step(i).prediction - rows.target(i);
    if (i >= 1000) sum += error * error;
  }
  return 10 * std::log10(sum / static_cast<double>(rows.size() - 1000));
}

inline const Kernel kLorenzKernel = Kernel::RbfFromSigma(32);

}  // namespace okbench::testing
