#include "learners/solvers/box_qp.h"

#include <algorithm>

namespace okbench {
namespace {

constexpr double kHuge = 1e300;  // stands for 1 / Q_ii where Q_ii = 0: the step then runs to a bound
constexpr std::size_t kStepsAVariable = 100000;

}  // namespace

template <class T>
QpResult BoxQpSolver<T>::Solve(const T* q, std::size_t stride, std::span<const double> p, double cap,
                               double tolerance, std::span<double> a) {
  const std::size_t n = p.size();
  gradient_.assign(p.begin(), p.end());
  inverse_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = 0;
    const double diagonal = q[i * stride + i];
    inverse_[i] = diagonal > 0 ? 1 / diagonal : kHuge;
  }
  QpResult result;
  double* g = gradient_.data();
  for (;; ++result.steps) {
    double best_gain = 0, best_step = 0, gap = 0, linear = 0, loss = 0;
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      const double step = std::clamp(a[i] + g[i] * inverse_[i], 0.0, cap) - a[i];
      const double gain = step * (g[i] - 0.5 * static_cast<double>(q[i * stride + i]) * step);
      loss += std::max(0.0, g[i]);
      gap -= a[i] * g[i];
      linear += a[i] * p[i];
      if (gain > best_gain) {
        best_gain = gain;
        best_step = step;
        best = i;
      }
    }
    // a'Qa = p'a - a'g
    const double quadratic = linear + gap;
    gap += cap * loss;
    result.objective = linear - 0.5 * quadratic;
    result.gap = gap;
    result.converged = gap <= tolerance * (0.5 * quadratic + cap * loss);
    if (result.converged || best == n || result.steps >= kStepsAVariable * n) return result;
    a[best] += best_step;
    const T* row = q + best * stride;
    for (std::size_t j = 0; j < n; ++j) g[j] -= best_step * static_cast<double>(row[j]);
  }
}

template class BoxQpSolver<float>;
template class BoxQpSolver<double>;

}  // namespace okbench
