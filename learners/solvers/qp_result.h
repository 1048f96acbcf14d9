#pragma once
// Result of the solvers of this folder.

#include <cstddef>

namespace okbench {

/// Maximum number of steps per variable of BoxQpSolver and SimplexQpSolver, which then stop without
/// convergence.
inline constexpr std::size_t kStepsAVariable = 100000;

struct QpResult {
  double objective = 0;    ///< dual objective reached
  double gap = 0;          ///< duality gap, in units of the objective
  std::size_t steps = 0;   ///< coordinate steps, sweeps (OutputDualSolver) or planes (SolveByPlanes)
  bool converged = false;  ///< whether the gap is within the tolerance
};

}  // namespace okbench
