#include "learners/solvers/box_qp.h"

#include <algorithm>

namespace okbench {
namespace {

constexpr double kHuge = 1e300;  // stands for 1 / Q_ii where Q_ii = 0: the step then runs to a bound
constexpr std::size_t kStepsBetweenChecks = 16;

}  // namespace

template <class T>
QpResult BoxQpSolver<T>::Measure(const Eigen::Ref<const Eigen::ArrayXd>& p, double cap, double tolerance,
                                 const Eigen::Ref<const Eigen::ArrayXd>& a) const {
  // Three chains side by side: each alone would wait for its additions.
  double along = 0, linear = 0, loss = 0;
  for (Eigen::Index i = 0; i < p.size(); ++i) {
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
QpResult BoxQpSolver<T>::Solve(const RowMatrixView<T>& q, const Eigen::Ref<const Eigen::ArrayXd>& p,
                               double cap, double tolerance, Eigen::Ref<Eigen::ArrayXd> a) {
  const auto n = static_cast<std::size_t>(p.size());
  gradient_ = p;
  diagonal_ = q.diagonal().template cast<double>();
  inverse_ = diagonal_.unaryExpr([](double d) { return d > 0 ? 1 / d : kHuge; });
  a.setZero();
  for (std::size_t steps = 0;; ++steps) {
    steps_ = (a + gradient_ * inverse_).max(0.0).min(cap) - a;
    gains_ = steps_ * (gradient_ - 0.5 * diagonal_ * steps_);
    Eigen::Index best = 0;
    if (n > 0) gains_.maxCoeff(&best);
    // Looking at the gap costs as much as a step.
    const bool stuck = n == 0 || !(gains_[best] > 0) || steps >= kStepsAVariable * n;
    if (stuck || steps % kStepsBetweenChecks == 0) {
      QpResult result = Measure(p, cap, tolerance, a);
      result.steps = steps;
      if (stuck || result.converged) return result;
    }
    a[best] += steps_[best];
    gradient_ -= steps_[best] * q.row(best).transpose().array().template cast<double>();
  }
}

template class BoxQpSolver<float>;
template class BoxQpSolver<double>;

}  // namespace okbench
