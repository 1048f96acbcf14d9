#include "learners/solvers/box_qp.h"

#include <algorithm>

namespace okbench {
namespace {

constexpr double kHuge = 1e300;  // stands for 1 / Q_ii where Q_ii = 0: the step then runs to a bound
constexpr std::size_t kStepsAVariable = 100000;
constexpr std::size_t kStepsBetweenChecks = 16;

}  // namespace

template <class T>
void BoxQpSolver<T>::Gains(std::span<const double> a, double cap) {
  const std::size_t n = a.size();
  const double* g = gradient_.data();
  const double* inverse = inverse_.data();
  const double* diagonal = diagonal_.data();
  const double* at = a.data();
  double* gains = gains_.data();
  double* steps = steps_.data();
  // No branch and no sum over i, so that compilers vectorise it without changing a bit.
  for (std::size_t i = 0; i < n; ++i) {
    const double free = at[i] + g[i] * inverse[i];
    const double above = free < 0 ? 0 : free;
    const double step = (above > cap ? cap : above) - at[i];
    steps[i] = step;
    gains[i] = step * (g[i] - 0.5 * diagonal[i] * step);
  }
}

template <class T>
QpResult BoxQpSolver<T>::Measure(std::span<const double> p, double cap, double tolerance,
                                 std::span<const double> a) const {
  double along = 0, linear = 0, loss = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    along += a[i] * gradient_[i];
    linear += a[i] * p[i];
    loss += std::max(0.0, gradient_[i]);
  }
  const double quadratic = linear - along;  // a'Qa
  QpResult result;
  result.objective = linear - 0.5 * quadratic;
  result.gap = cap * loss - along;
  result.converged = result.gap <= tolerance * (0.5 * quadratic + cap * loss);
  return result;
}

template <class T>
QpResult BoxQpSolver<T>::Solve(const T* q, std::size_t stride, std::span<const double> p, double cap,
                               double tolerance, std::span<double> a) {
  const std::size_t n = p.size();
  gradient_.assign(p.begin(), p.end());
  for (auto* list : {&inverse_, &diagonal_, &gains_, &steps_}) list->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = 0;
    diagonal_[i] = q[i * stride + i];
    inverse_[i] = diagonal_[i] > 0 ? 1 / diagonal_[i] : kHuge;
  }
  double* g = gradient_.data();
  for (std::size_t steps = 0;; ++steps) {
    Gains(a, cap);
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i)
      if (gains_[i] > gains_[best]) best = i;
    // Looking at the gap costs as much as a step.
    const bool stuck = n == 0 || !(gains_[best] > 0) || steps >= kStepsAVariable * n;
    if (stuck || steps % kStepsBetweenChecks == 0) {
      QpResult result = Measure(p, cap, tolerance, a);
      result.steps = steps;
      if (stuck || result.converged) return result;
    }
    const double step = steps_[best];
    a[best] += step;
    const T* row = q + best * stride;
    for (std::size_t j = 0; j < n; ++j) g[j] -= step * static_cast<double>(row[j]);
  }
}

template class BoxQpSolver<float>;
template class BoxQpSolver<double>;

}  // namespace okbench
