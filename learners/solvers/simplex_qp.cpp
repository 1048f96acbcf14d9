#include "learners/solvers/simplex_qp.h"

#include <algorithm>

namespace okbench {
namespace {

constexpr double kFlat = 1e-300;  // curvature of a pair of equal rows: all mass moves
constexpr std::size_t kStepsAVariable = 100000;

}  // namespace

QpResult SimplexQpSolver::Solve(const double* g, std::size_t stride, std::span<const double> p,
                                double tolerance, std::span<double> b) {
  const std::size_t n = p.size();
  gradient_.assign(p.begin(), p.end());
  for (std::size_t j = 0; j < n; ++j) {
    if (b[j] == 0) continue;
    for (std::size_t i = 0; i < n; ++i) gradient_[i] -= b[j] * g[j * stride + i];
  }
  QpResult result;
  for (;; ++result.steps) {
    std::size_t up = 0;
    double along = 0, linear = 0;  // b'gradient, p'b
    for (std::size_t i = 0; i < n; ++i) {
      if (gradient_[i] > gradient_[up]) up = i;
      along += b[i] * gradient_[i];
      linear += b[i] * p[i];
    }
    result.gap = gradient_[up] - along;
    result.objective = linear - 0.5 * (linear - along);
    result.converged = result.gap <= tolerance;
    if (result.converged || result.steps >= kStepsAVariable * n) return result;
    std::size_t down = n;
    double best = 0;
    const double* row = g + up * stride;
    for (std::size_t j = 0; j < n; ++j) {
      const double difference = gradient_[up] - gradient_[j];
      if (b[j] == 0 || difference <= 0) continue;
      const double curvature = std::max(kFlat, row[up] + g[j * stride + j] - 2 * row[j]);
      const double gain = difference * difference / curvature;
      if (down == n || gain > best) {
        best = gain;
        down = j;
      }
    }
    if (down == n) return result;
    const double curvature = std::max(kFlat, row[up] + g[down * stride + down] - 2 * row[down]);
    const double mass = std::min(b[down], (gradient_[up] - gradient_[down]) / curvature);
    if (b[up] + mass == b[up]) {
      // A speck that cannot be moved is dropped, so that it does not stand in the way of other pairs.
      if (mass < b[down]) return result;
      for (std::size_t i = 0; i < n; ++i) gradient_[i] += b[down] * g[down * stride + i];
      b[down] = 0;
      continue;
    }
    b[up] += mass;
    b[down] = mass == b[down] ? 0.0 : b[down] - mass;
    const double* other = g + down * stride;
    for (std::size_t i = 0; i < n; ++i) gradient_[i] -= mass * (row[i] - other[i]);
  }
}

}  // namespace okbench
