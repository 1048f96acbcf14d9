#include "learners/solvers/capped_simplex.h"

#include <algorithm>
#include <functional>

namespace okbench {

void CappedSimplexSolver::Solve(double a, std::span<const double> b, std::size_t y, double cap,
                                std::span<double> tau) {
  // tau = 0 is optimal when no wrong class has a larger B. This case is exact, without rounding residue.
  bool zero = true;
  for (std::size_t r = 0; r < b.size(); ++r) zero = zero && b[r] <= b[y];
  if (zero) {
    std::fill(tau.begin(), tau.end(), 0.0);
    return;
  }
  for (std::size_t r = 0; r < b.size(); ++r) sorted_[r] = b[r] / a + (r == y ? cap : 0);
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  double sum = -cap;
  double theta = 0;
  for (std::size_t m = 0; m < sorted_.size(); ++m) {
    sum += sorted_[m];
    theta = sum / static_cast<double>(m + 1);
    if (m + 1 == sorted_.size() || theta >= sorted_[m + 1]) break;
  }
  // A coefficient at its bound equals the bound to the last bit.
  for (std::size_t r = 0; r < b.size(); ++r) {
    const double scaled = b[r] / a;
    const double limit = r == y ? cap : 0;
    tau[r] = theta >= scaled + limit ? limit : theta - scaled;
  }
}

}  // namespace okbench
