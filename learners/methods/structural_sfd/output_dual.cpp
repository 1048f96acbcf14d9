#include "learners/methods/structural_sfd/output_dual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learners/core/stop.h"
#include "learners/core/sums.h"

namespace okbench {
namespace {

using Eigen::Index;

constexpr std::size_t kSweeps = 100000;
constexpr double kWorthwhile = 0.1;  // a sweep skips blocks with less than this share of the mean gap
constexpr double kStopShare = 0.1;   // MoveMass() stops at this share of the block's first gradient range
constexpr Index kStepsAnOutput = 4;  // maximum steps per output in one MoveMass()

}  // namespace

// Writes max_y g_iy to `slack`. Returns C max_y g_iy - a_i . g_i, the block's part of the gap, >= 0.
template <class T>
double OutputDualSolver<T>::BlockGap(Index i, double* slack) const {
  const auto truth = static_cast<Index>(truth_[static_cast<std::size_t>(i)]);
  const double own = u_(i, truth);
  double highest = 0, along = 0;
  for (Index y = 0; y < u_.cols(); ++y) {
    if (y == truth) continue;
    const double g = (*rho_)(i, y) + u_(i, y) - own;
    highest = std::max(highest, g);
    along -= (*tau_)(i, y) * g;
  }
  *slack = highest;
  return std::max(0.0, cap_ * highest - along);
}

// Solves a block exactly. REQUIRES: kappa is the identity.
template <class T>
void OutputDualSolver<T>::SolveBlock(Index i) {
  const double self = static_cast<double>((*gram_)(i, i));
  for (Index y = 0; y < u_.cols(); ++y)
    b_[static_cast<std::size_t>(y)] = u_(i, y) - self * (*tau_)(i, y) + (*rho_)(i, y);
  CappedSimplexSolver solver(b_.size());
  solver.Solve(self, b_, truth_[static_cast<std::size_t>(i)], cap_, solved_);
  for (Index y = 0; y < u_.cols(); ++y) change_[y] = solved_[static_cast<std::size_t>(y)] - (*tau_)(i, y);
}

// Improves a block for any kappa: moves mass of a_i from the output with the lowest gradient to the highest
// one.
template <class T>
void OutputDualSolver<T>::MoveMass(Index i) {
  const auto truth = static_cast<Index>(truth_[static_cast<std::size_t>(i)]);
  const double self = static_cast<double>((*gram_)(i, i));
  const Index outputs = u_.cols();
  const auto kappa = [this](Index y, Index other) {
    return kappa_->size() > 0 ? (*kappa_)(y, other) : (y == other ? 1.0 : 0.0);
  };
  change_.setZero();
  double first = 0;
  for (Index step = 0; step < kStepsAnOutput * outputs; ++step) {
    Index most = 0, least = 0;
    double highest = -std::numeric_limits<double>::infinity(), lowest = -highest;
    for (Index y = 0; y < outputs; ++y) {
      gradient_[y] = (*rho_)(i, y) + u_(i, y) - u_(i, truth);
      const double tau = (*tau_)(i, y) + change_[y];
      const double a = y == truth ? cap_ - tau : -tau;
      if (gradient_[y] > highest) {
        highest = gradient_[y];
        most = y;
      }
      if (a > 0 && gradient_[y] < lowest) {
        lowest = gradient_[y];
        least = y;
      }
    }
    if (step == 0) first = highest - lowest;
    if (!(highest - lowest > kStopShare * first) || most == least) return;
    const double tau = (*tau_)(i, least) + change_[least];
    const double available = least == truth ? cap_ - tau : -tau;
    const double curvature = self * (kappa(most, most) + kappa(least, least) - 2 * kappa(most, least));
    const double wanted = curvature > 0 ? (highest - lowest) / curvature : available;
    const double length = std::min(wanted, available);
    // A coefficient at its bound equals the bound to the last bit.
    change_[least] =
        length == available ? (least == truth ? cap_ : 0.0) - (*tau_)(i, least) : change_[least] + length;
    change_[most] -= length;
    for (Index y = 0; y < outputs; ++y) u_(i, y) += self * length * (kappa(y, least) - kappa(y, most));
  }
}

template <class T>
QpResult OutputDualSolver<T>::Solve(const RowMatrixView<T>& gram, std::span<const std::size_t> truth,
                                    const RowMatrix<double>& rho, const Eigen::MatrixXd& kappa, double cap,
                                    double relative_gap, RowMatrix<double>& tau) {
  gram_ = &gram;
  truth_ = truth;
  rho_ = &rho;
  kappa_ = &kappa;
  cap_ = cap;
  tau_ = &tau;
  const Index n = rho.rows(), outputs = rho.cols();
  tau.setZero(n, outputs);
  u_.setZero(n, outputs);
  change_.setZero(outputs);
  gradient_.setZero(outputs);
  b_.resize(static_cast<std::size_t>(outputs));
  solved_.resize(static_cast<std::size_t>(outputs));
  QpResult result;
  for (;; ++result.steps) {
    CheckStop();
    double gap = 0, loss = 0, linear = 0, norm = 0;
    for (Index i = 0; i < n; ++i) {
      double slack = 0;
      gap += BlockGap(i, &slack);
      loss += slack;
      for (Index y = 0; y < outputs; ++y) {
        linear -= tau(i, y) * rho(i, y);  // rho is 0 at the truth
        norm += tau(i, y) * u_(i, y);
      }
    }
    result.objective = linear - 0.5 * norm;
    result.gap = gap;
    result.converged = gap <= relative_gap * (0.5 * norm + cap * loss);
    if (result.converged || result.steps >= kSweeps) return result;
    const double worthwhile = kWorthwhile * gap / static_cast<double>(n);
    bool moved = false;
    for (Index i = 0; i < n; ++i) {
      double slack = 0;
      if (!(BlockGap(i, &slack) > worthwhile)) continue;
      const bool exact = kappa.size() == 0 && gram(i, i) > 0;
      if (exact)
        SolveBlock(i);
      else
        MoveMass(i);
      if ((change_.array() == 0).all()) continue;
      moved = true;
      tau.row(i) += change_;
      if (kappa.size() > 0) {
        for (Index y = 0; y < outputs; ++y) gradient_[y] = Dot(change_, kappa.col(y));
        std::swap(gradient_, change_);  // kappa change
      }
      for (Index j = 0; j < n; ++j)
        if (exact || j != i) u_.row(j) += static_cast<double>(gram(i, j)) * change_;
    }
    if (!moved) return result;
  }
}

template class OutputDualSolver<float>;
template class OutputDualSolver<double>;

}  // namespace okbench
