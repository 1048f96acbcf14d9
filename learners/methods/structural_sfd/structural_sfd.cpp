#include "learners/methods/structural_sfd/structural_sfd.h"

#include <algorithm>
#include <limits>

#include "learners/core/math.h"
#include "learners/core/sums.h"
#include "learners/solvers/plane_update.h"

namespace okbench::structural_sfd {
namespace {

using Eigen::Index;

std::span<const double> RowOf(const RowMatrix<double>& matrix, Index row) {
  return {matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

// Sum of the products of all entries, row by row (fixed order).
double DotAll(const RowMatrix<double>& a, const RowMatrix<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += Dot(RowOf(a, i), RowOf(b, i));
  return sum;
}

// The problem for SolveByPlanes. A plane is (1/k) sum of Psi(x_i, y_i) - Psi(x_i, y^_i) over the violating
// examples, where y^_i is the most violating output. Scores are u(x_i, y), [example][output].
template <class T>
class Planes : public KeptImages<Planes<T>, RowMatrix<double>> {
 public:
  using Vector = RowMatrix<double>;
  Planes(const RowMatrixView<T>& gram, const Vector& rho, const std::vector<std::size_t>& truths,
         const Task& task, Oracle& oracle)
      : gram_(gram), rho_(rho), truths_(truths), task_(task), oracle_(oracle) {}

  Vector NoPlane() const { return NoScores(); }
  Vector NoScores() const { return Vector::Zero(rho_.rows(), rho_.cols()); }
  PlaneSums Find(const Vector& u, Vector& plane) const {
    const double share = 1 / static_cast<double>(rho_.rows());
    PlaneSums sums;
    for (Index i = 0; i < rho_.rows(); ++i) {
      const std::size_t truth = truths_[static_cast<std::size_t>(i)];
      const auto violator = oracle_.MostViolating(truth, RowOf(rho_, i), RowOf(u, i));
      if (violator.output == truth) continue;
      const auto y = static_cast<Index>(violator.output), own = static_cast<Index>(truth);
      sums.offset += share * rho_(i, y);
      sums.reached += share * (u(i, own) - u(i, y));
      plane(i, own) += share;
      plane(i, y) -= share;
    }
    return sums;
  }
  Vector Image(const Vector& plane) const {
    Vector image = NoScores();
    for (Index i = 0; i < plane.rows(); ++i)
      for (Index r = 0; r < plane.cols(); ++r)
        if (plane(i, r) != 0)
          for (Index j = 0; j < image.rows(); ++j)
            image(j, r) += plane(i, r) * static_cast<double>(gram_(i, j));
    for (Index j = 0; j < image.rows(); ++j) {
      const std::span<double> row(image.data() + j * image.cols(), static_cast<std::size_t>(image.cols()));
      task_.OutputProducts(row, row);
    }
    return image;
  }
  double Product(const Vector& plane, const Vector& image) const { return DotAll(plane, image); }

 private:
  const RowMatrixView<T>& gram_;
  const Vector& rho_;
  const std::vector<std::size_t>& truths_;
  const Task& task_;
  Oracle& oracle_;
};

}  // namespace

template <class T>
StructuralSfd<T>::StructuralSfd(const Options& options, const LearnerContext<T>& context)
    : FunctionalDescent<T, TaskLearner<T>>(options, context.train->size(), options, context),
      options_(options),
      lowest_(options.bounded_below ? 0 : -std::numeric_limits<double>::infinity()),
      random_(context.seed) {
  if (options.importance) sampler_.emplace(this->engine_, this->train_, this->columns());
  if (this->task_->identity()) return;
  const auto n = static_cast<Index>(this->outputs());
  kappa_.resize(n, n);
  for (Index y = 0; y < n; ++y)
    for (Index other = 0; other < n; ++other)
      kappa_(y, other) = this->task_->Kappa(static_cast<std::size_t>(y), static_cast<std::size_t>(other));
}

// rho of output y for an example with this true output and the scores f of all outputs.
template <class T>
double StructuralSfd<T>::Residual(std::size_t truth, std::size_t y, std::span<const double> f) const {
  return std::clamp(this->task_->Delta(truth, y) - f[truth] + f[y], lowest_, this->task_->LargestDelta());
}

// max(0, max_y rho_iy) from the scores of the sampler.
template <class T>
double StructuralSfd<T>::LargestResidual(std::uint32_t i) {
  outputs_.resize(this->outputs());
  for (std::size_t y = 0; y < outputs_.size(); ++y) outputs_[y] = sampler_->score(y, i);
  this->task_->OutputProducts(outputs_, outputs_);
  const std::size_t truth = this->truth(i);
  double most = 0;
  for (std::size_t y = 0; y < outputs_.size(); ++y)
    if (y != truth) most = std::max(most, Residual(truth, y, outputs_));
  return most;
}

template <class T>
bool StructuralSfd<T>::ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) {
  if (!sampler_) return FunctionalDescent<T, TaskLearner<T>>::ScoreBatch(batch, outcome);
  const auto drawn = sampler_->Draw(batch.size(), this->size(), random_,
                                    [&](std::uint32_t i) { return LargestResidual(i); });
  this->batch_.Load(drawn);
  this->scores_.clear();
  for (std::size_t column = 0; column < this->columns(); ++column)
    for (const std::uint32_t i : drawn) this->scores_.push_back(sampler_->score(column, i));
  CountBatch(outcome);
  return AllFinite(this->scores_);
}

template <class T>
void StructuralSfd<T>::CountBatch(RoundOutcome& outcome) {
  const std::size_t k = this->batch_.size(), outputs = this->outputs();
  const auto columns = static_cast<Index>(outputs);
  f_.resize(static_cast<Index>(k), columns);
  truths_.resize(k);
  for (std::size_t i = 0; i < k; ++i) {
    const auto row = static_cast<Index>(i);
    for (std::size_t r = 0; r < outputs; ++r) f_(row, static_cast<Index>(r)) = this->scores_[r * k + i];
    const std::span<double> f(f_.data() + row * columns, outputs);
    this->task_->OutputProducts(f, f);
    truths_[i] = this->truth(this->batch_.example(i));
    this->CountScores(truths_[i], f, outcome);
  }
}

template <class T>
double StructuralSfd<T>::Residuals() {
  rho_.setZero(f_.rows(), f_.cols());
  double positive = 0;
  for (Index i = 0; i < f_.rows(); ++i) {
    const std::size_t truth = truths_[static_cast<std::size_t>(i)];
    const std::span<const double> f = RowOf(f_, i);
    double most = 0;
    for (Index y = 0; y < f_.cols(); ++y) {
      if (y == static_cast<Index>(truth)) continue;
      rho_(i, y) = Residual(truth, static_cast<std::size_t>(y), f);
      most = std::max(most, rho_(i, y));
    }
    const double weight = this->batch_.weight(static_cast<std::size_t>(i));
    rho_.row(i) *= weight;
    positive += weight * most;
  }
  return positive;
}

template <class T>
QpResult StructuralSfd<T>::Solve(double lambda, double cap) {
  const auto gram = this->batch_.gram();
  if (options_.planes) {
    Planes<T> problem(gram, rho_, truths_, *this->task_, this->oracle_);
    return SolveByPlanes(problem, lambda, options_.epsilon, tau_, u_);
  }
  const QpResult result = solver_.Solve(gram, truths_, rho_, kappa_, cap, options_.gap, tau_);
  u_ = solver_.scores();
  return result;
}

template <class T>
typename StructuralSfd<T>::Products StructuralSfd<T>::AddUpdate() {
  const double norm = DotAll(tau_, u_);
  for (Index i = 0; i < tau_.rows(); ++i) {
    tau_.row(i) *= this->batch_.weight(static_cast<std::size_t>(i));
    for (Index r = 0; r < tau_.cols(); ++r)
      if (tau_(i, r) != 0)
        this->expansion_.Add(static_cast<std::size_t>(r), this->batch_.example(static_cast<std::size_t>(i)),
                             tau_(i, r));
  }
  if (sampler_) AddToSampler();
  return {.along = DotAll(tau_, f_), .norm = norm};
}

// Adds the update to the scores of the whole training set.
template <class T>
void StructuralSfd<T>::AddToSampler() {
  std::vector<std::uint32_t> rows;
  std::vector<Index> places;
  for (Index i = 0; i < tau_.rows(); ++i) {
    if ((tau_.row(i).array() == 0).all()) continue;
    places.push_back(i);
    rows.push_back(this->batch_.example(static_cast<std::size_t>(i)));
  }
  std::vector<double> coefficients;
  for (Index r = 0; r < tau_.cols(); ++r)
    for (const Index i : places) coefficients.push_back(tau_(i, r));
  sampler_->Add(rows, coefficients);
}

template <class T>
std::vector<std::string> StructuralSfd<T>::Columns() const {
  std::vector<std::string> columns = FunctionalDescent<T, TaskLearner<T>>::Columns();
  columns.push_back("oracle_calls");
  return columns;
}

template <class T>
void StructuralSfd<T>::Report(std::span<double> out) const {
  FunctionalDescent<T, TaskLearner<T>>::Report(out);
  out.back() = static_cast<double>(this->oracle_calls());
}

template class StructuralSfd<float>;
template class StructuralSfd<double>;

}  // namespace okbench::structural_sfd
