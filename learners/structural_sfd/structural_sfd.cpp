#include "learners/structural_sfd/structural_sfd.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "learners/core/math.h"
#include "learners/core/sums.h"
#include "learners/solvers/cutting_planes.h"

namespace okbench::structural_sfd {
namespace {

using Eigen::Index;

constexpr std::size_t kMostPlanes = 10000;

std::span<const double> RowOf(const RowMatrix<double>& matrix, Index row) {
  return {matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

// sum of the products of all entries, row after row.
double DotAll(const RowMatrix<double>& a, const RowMatrix<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += Dot(RowOf(a, i), RowOf(b, i));
  return sum;
}

}  // namespace

template <class T>
StructuralSfd<T>::StructuralSfd(const Options& options, const LearnerContext<T>& context)
    : TaskLearner<T>(options, context),
      options_(options),
      schedule_{options.schedule, options.c, options.exponent},
      batch_(this->engine_, this->train_),
      expansion_(context.train->size(), this->outputs()) {
  if (this->task_->identity()) return;
  const auto n = static_cast<Index>(this->outputs());
  kappa_.resize(n, n);
  for (Index y = 0; y < n; ++y)
    for (Index other = 0; other < n; ++other)
      kappa_(y, other) = this->task_->Kappa(static_cast<std::size_t>(y), static_cast<std::size_t>(other));
}

// Scores f, residual margins and what the batch showed.
template <class T>
void StructuralSfd<T>::Residuals(RoundOutcome& outcome) {
  const std::size_t k = batch_.size(), outputs = this->outputs();
  const auto rows = static_cast<Index>(k), columns = static_cast<Index>(outputs);
  f_.resize(rows, columns);
  rho_.setZero(rows, columns);
  truths_.resize(k);
  const double lowest = options_.bounded_below ? 0 : -std::numeric_limits<double>::infinity();
  double positive = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const auto row = static_cast<Index>(i);
    for (std::size_t r = 0; r < outputs; ++r) f_(row, static_cast<Index>(r)) = scores_[r * k + i];
    const std::span<double> f(f_.data() + row * columns, outputs);
    this->task_->OutputProducts(f, f);
    const std::size_t truth = truths_[i] = this->truth(batch_.example(i));
    this->CountScores(truth, f, outcome);
    double most = 0;
    for (std::size_t y = 0; y < outputs; ++y) {
      if (y == truth) continue;
      const double rho =
          std::clamp(this->task_->Delta(truth, y) - f[truth] + f[y], lowest, this->task_->LargestDelta());
      rho_(row, static_cast<Index>(y)) = rho;
      most = std::max(most, rho);
    }
    positive += most;
  }
  bound_ = positive / static_cast<double>(k) / lambda_;
}

template <class T>
RoundOutcome StructuralSfd<T>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  const std::size_t k = batch.size(), outputs = this->outputs();
  batch_.Load(batch);
  scores_.resize(outputs * k);
  batch_.Scores(expansion_.members(), expansion_.Gather(), outputs, scores_);
  lambda_ = schedule_.At(t_, k, this->size());
  RoundOutcome outcome;
  Residuals(outcome);
  if (!AllFinite(scores_)) return outcome;  // the loss tells
  all_.resize(k);
  std::iota(all_.begin(), all_.end(), 0U);
  if (!batch_.Gram(all_)) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  QpResult result;
  if (options_.planes) {
    result = SolvePlanes(lambda_);
  } else {
    result = solver_.Solve(batch_.gram(), truths_, rho_, kappa_, 1 / (lambda_ * static_cast<double>(k)),
                           options_.gap, tau_);
    update_norm_ = DotAll(tau_, solver_.scores());
  }
  solver_steps_ = result.steps;
  relative_gap_ = result.objective + result.gap > 0 ? result.gap / (result.objective + result.gap) : 0;
  squared_norm_ += 2 * DotAll(tau_, f_) + update_norm_;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t r = 0; r < outputs; ++r) {
      const double tau = tau_(static_cast<Index>(i), static_cast<Index>(r));
      if (tau != 0) expansion_.Add(r, batch_.example(i), tau);
    }
  return outcome;
}

// Algorithm 2 of the thesis; inner products of planes come from the kernel matrix of the batch.
template <class T>
QpResult StructuralSfd<T>::SolvePlanes(double lambda) {
  const auto gram = batch_.gram();
  const Index k = rho_.rows(), outputs = rho_.cols();
  const double share = 1 / static_cast<double>(k);
  CuttingPlanes planes(lambda);
  // Of each plane: its coefficients, and its image <plane, Psi(x_j, .)> for all examples.
  std::vector<RowMatrix<double>> members, images;
  RowMatrix<double> u = RowMatrix<double>::Zero(k, outputs);  // u(x_i, y)
  QpResult result;
  for (;; ++result.steps) {
    RowMatrix<double> plane = RowMatrix<double>::Zero(k, outputs);
    RowMatrix<double> image = RowMatrix<double>::Zero(k, outputs);
    double offset = 0, reached = 0;
    for (Index i = 0; i < k; ++i) {
      const std::size_t truth = truths_[static_cast<std::size_t>(i)];
      const auto found = this->oracle_.MostViolating(truth, RowOf(rho_, i), RowOf(u, i));
      if (found.output == truth) continue;
      const auto y = static_cast<Index>(found.output), own = static_cast<Index>(truth);
      offset += share * rho_(i, y);
      reached += share * (u(i, own) - u(i, y));
      plane(i, own) += share;
      plane(i, y) -= share;
      for (Index j = 0; j < k; ++j) {
        const double value = share * static_cast<double>(gram(i, j));
        image(j, own) += value;
        image(j, y) -= value;
      }
    }
    // offset - reached is the loss of u, lambda/2 ||u||^2 + it the primal; the planes bound it from below.
    result.gap = offset - reached - planes.slack();
    result.converged = result.gap <= options_.epsilon;
    if (result.converged || members.size() >= kMostPlanes) break;
    for (Index j = 0; j < k; ++j) {
      const std::span<double> row(image.data() + j * outputs, static_cast<std::size_t>(outputs));
      this->task_->OutputProducts(row, row);
    }
    images.push_back(std::move(image));
    members.push_back(std::move(plane));
    Eigen::VectorXd products(static_cast<Index>(images.size()));
    for (std::size_t p = 0; p < images.size(); ++p)
      products[static_cast<Index>(p)] = DotAll(members.back(), images[p]);
    planes.Add(offset, products);
    result.objective = planes.Solve(options_.epsilon / 100).objective;
    u.setZero();
    for (std::size_t p = 0; p < images.size(); ++p)
      if (planes.weight(p) != 0) u += planes.weight(p) / lambda * images[p];
  }
  tau_.setZero(k, outputs);
  for (std::size_t p = 0; p < members.size(); ++p) tau_ += planes.weight(p) / lambda * members[p];
  update_norm_ = DotAll(tau_, u);
  return result;
}

template <class T>
std::vector<std::string> StructuralSfd<T>::Columns() const {
  return {"lambda",       "update_norm",  "update_bound", "squared_norm",
          "relative_gap", "solver_steps", "oracle_calls"};
}

template <class T>
void StructuralSfd<T>::Report(std::span<double> out) const {
  out[0] = lambda_;
  out[1] = update_norm_;
  out[2] = bound_;
  out[3] = squared_norm_;
  out[4] = relative_gap_;
  out[5] = static_cast<double>(solver_steps_);
  out[6] = static_cast<double>(this->oracle_calls());
}

template class StructuralSfd<float>;
template class StructuralSfd<double>;

}  // namespace okbench::structural_sfd
