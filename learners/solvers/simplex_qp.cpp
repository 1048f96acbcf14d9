#include "learners/solvers/simplex_qp.h"

#include <algorithm>

#include "learners/core/stop.h"

namespace okbench {
namespace {

using Eigen::Index;

constexpr double kFlat = 1e-300;  // minimum curvature; all mass moves between equal rows

}  // namespace

QpResult SimplexQpSolver::Solve(const Eigen::Ref<const Eigen::MatrixXd>& g,
                                const Eigen::Ref<const Eigen::VectorXd>& p, double tolerance,
                                Eigen::Ref<Eigen::VectorXd> b) {
  const Index n = p.size();
  gradient_ = p;
  for (Index j = 0; j < n; ++j)
    if (b[j] != 0) gradient_ -= b[j] * g.col(j);
  const auto curvature = [&g](Index i, Index j) { return std::max(kFlat, g(i, i) + g(j, j) - 2 * g(j, i)); };
  QpResult result;
  for (;; ++result.steps) {
    CheckStop();
    Index up = 0;
    double along = 0, linear = 0;  // b'gradient, p'b
    for (Index i = 0; i < n; ++i) {
      if (gradient_[i] > gradient_[up]) up = i;
      along += b[i] * gradient_[i];
      linear += b[i] * p[i];
    }
    result.gap = gradient_[up] - along;
    result.objective = linear - 0.5 * (linear - along);
    result.converged = result.gap <= tolerance;
    if (result.converged || result.steps >= kStepsAVariable * static_cast<std::size_t>(n)) return result;
    Index down = n;
    double best = 0;
    for (Index j = 0; j < n; ++j) {
      const double difference = gradient_[up] - gradient_[j];
      if (b[j] == 0 || difference <= 0) continue;
      const double gain = difference * difference / curvature(up, j);
      if (down == n || gain > best) {
        best = gain;
        down = j;
      }
    }
    if (down == n) return result;
    const double mass = std::min(b[down], (gradient_[up] - gradient_[down]) / curvature(up, down));
    if (b[up] + mass == b[up]) {
      // A mass too small to change b[up] is dropped, so that other pairs can move.
      if (mass < b[down]) return result;
      gradient_ += b[down] * g.col(down);
      b[down] = 0;
      continue;
    }
    b[up] += mass;
    b[down] = mass == b[down] ? 0.0 : b[down] - mass;
    gradient_ -= mass * (g.col(up) - g.col(down));
  }
}

}  // namespace okbench
