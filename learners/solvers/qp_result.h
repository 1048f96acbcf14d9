#pragma once
// What the solvers of this folder tell of a solution.

#include <cstddef>

namespace okbench {

/// A solver that has taken so many steps a variable gives up: it is not converged.
inline constexpr std::size_t kStepsAVariable = 100000;

struct QpResult {
  double objective = 0;  ///< dual objective that was reached
  double gap = 0;        ///< duality gap, in the units of the objective
  std::size_t steps = 0;
  bool converged = false;
};

}  // namespace okbench
