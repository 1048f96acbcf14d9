#include "learners/solvers/box_qp.h"

#include <algorithm>

#include "learners/core/stop.h"

namespace okbench {
namespace {

constexpr double kHuge = 1e300;  // replaces 1 / Q_ii where Q_ii = 0: the step then ends at a bound
constexpr std::size_t kStepsBetweenChecks = 16;

}  // namespace

template <class T>
QpResult BoxQpSolver<T>::Measure(const Eigen::Ref<const Eigen::ArrayXd>& p, double cap,
                                 double tolerance) const {
  // Three interleaved chains of additions hide the latency of each.
  double along = 0, linear = 0, loss = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    along += a_[i] * gradient_[i];
    linear += a_[i] * p[static_cast<Eigen::Index>(i)];
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
  size_ = static_cast<std::size_t>(p.size());
  const std::size_t padded = VectorOps<T>::Padded(size_);
  for (auto* list : {&a_, &gradient_, &inverse_, &half_}) list->assign(padded, 0.0);
  for (std::size_t i = 0; i < size_; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const auto curvature = static_cast<double>(q(at, at));
    gradient_[i] = p[at];
    inverse_[i] = curvature > 0 ? 1 / curvature : kHuge;
    half_[i] = 0.5 * curvature;
  }
  const BoxProgram box{.n = size_,
                       .cap = cap,
                       .inverse = inverse_.data(),
                       .half = half_.data(),
                       .a = a_.data(),
                       .gradient = gradient_.data()};
  const T* row = nullptr;
  double step = 0;
  for (std::size_t steps = 0;; ++steps) {
    const std::size_t best = size_ > 0 ? ops_.BoxStep(box, row, step) : 0;
    bool stuck = best >= size_ || steps >= kStepsAVariable * size_;
    if (!stuck) {
      step = std::clamp(a_[best] + gradient_[best] * inverse_[best], 0.0, cap) - a_[best];
      stuck = !(step * (gradient_[best] - half_[best] * step) > 0);
    }
    // Measuring the gap costs as much as a step.
    if (stuck || steps % kStepsBetweenChecks == 0) {
      CheckStop();
      QpResult result = Measure(p, cap, tolerance);
      result.steps = steps;
      if (stuck || result.converged) {
        for (std::size_t i = 0; i < size_; ++i) a[static_cast<Eigen::Index>(i)] = a_[i];
        return result;
      }
    }
    a_[best] += step;
    row = q.data() + static_cast<Eigen::Index>(best) * q.outerStride();
  }
}

template class BoxQpSolver<float>;
template class BoxQpSolver<double>;

}  // namespace okbench
