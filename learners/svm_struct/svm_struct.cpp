#include "learners/svm_struct/svm_struct.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "learners/core/math.h"

namespace okbench::svm_struct {
namespace {

using Eigen::Index;

constexpr std::size_t kIdleRounds = 50;
constexpr double kSolverShare = 0.01;  // of epsilon: how exactly the planes' program is solved

}  // namespace

template <class T>
SvmStruct<T>::SvmStruct(const Options& options, const LearnerContext<T>& context)
    : TrainingRows<T>(options, context, options.cache_mib << 20),
      options_(options),
      model_(options.lambda),
      f_(RowMatrix<double>::Zero(static_cast<Index>(context.train->size()),
                                 static_cast<Index>(this->outputs()))),
      holders_(context.train->size(), 0) {}

template <class T>
RoundOutcome SvmStruct<T>::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  outcome.whole_set = true;
  this->engine_.Ask(this->all(), this->support());
  Plane plane;
  double offset = 0;
  for (const std::uint32_t i : this->all()) {
    const std::size_t y = this->truth(i);
    const auto found = this->CountScores(y, {f_.row(i).data(), this->outputs()}, outcome);
    if (found.output == y) continue;
    plane.examples.push_back(i);
    plane.violators.push_back(static_cast<std::uint32_t>(found.output));
    offset += this->task_->Delta(y, found.output);
  }
  primal_ = options_.lambda / 2 * squared_norm_ + outcome.mean_loss;
  if (plane.examples.empty() ||
      (model_.size() > 0 && outcome.mean_loss <= model_.slack() + options_.epsilon)) {
    outcome.finished = outcome.converged = true;
    return outcome;
  }
  AddPlane(std::move(plane), offset / static_cast<double>(this->size()));
  if (!AllFinite(
          std::span(planes_.back().scores.data(), static_cast<std::size_t>(planes_.back().scores.size())))) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  model_.Solve(kSolverShare * options_.epsilon);
  const std::vector<bool> kept = model_.DropIdle(kIdleRounds);
  std::size_t place = 0;
  for (std::size_t p = 0; p < kept.size(); ++p) {
    if (!kept[p]) {
      for (const std::uint32_t i : planes_[p].examples) --holders_[i];
      continue;
    }
    if (place != p) planes_[place] = std::move(planes_[p]);
    ++place;
  }
  planes_.resize(place);
  Assemble();
  return outcome;
}

template <class T>
void SvmStruct<T>::AddPlane(Plane plane, double offset) {
  const double share = 1 / static_cast<double>(this->size());
  const std::size_t outputs = this->outputs(), slots = this->blocks_.slots();
  const VectorOps<T> ops;
  images_.assign(outputs * slots, 0.0);
  for (std::size_t v = 0; v < plane.examples.size(); ++v) {
    const std::uint32_t i = plane.examples[v];
    const T* row = this->Row(i);
    ops.AddScaled(row, slots, share, images_.data() + this->truth(i) * slots);
    ops.AddScaled(row, slots, -share, images_.data() + plane.violators[v] * slots);
    ++holders_[i];
  }
  plane.scores.resize(f_.rows(), f_.cols());
  for (const std::uint32_t j : this->all()) {
    const std::span<double> row(plane.scores.row(j).data(), outputs);
    for (std::size_t r = 0; r < outputs; ++r) row[r] = images_[r * slots + j];
    this->task_->OutputProducts(row, row);
  }
  planes_.push_back(std::move(plane));
  const Plane& added = planes_.back();
  in_planes_.clear();
  for (const std::uint32_t i : this->all())
    if (holders_[i] > 0) in_planes_.push_back(i);
  // Among the plane's own examples k_ij = k_ji.
  const std::uint64_t own = added.examples.size();
  this->engine_.Ask(added.examples, in_planes_, own * (own - 1) / 2);
  Eigen::VectorXd products(static_cast<Index>(planes_.size()));
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    double product = 0;
    for (std::size_t v = 0; v < added.examples.size(); ++v) {
      const auto row = planes_[p].scores.row(added.examples[v]);
      product += row[static_cast<Index>(this->truth(added.examples[v]))] - row[added.violators[v]];
    }
    products[static_cast<Index>(p)] = share * product;
  }
  model_.Add(offset, products);
}

// f of the new weights: its scores, coefficients and norm.
template <class T>
void SvmStruct<T>::Assemble() {
  const double share = 1 / static_cast<double>(this->size());
  RowMatrix<double> tau = RowMatrix<double>::Zero(f_.rows(), f_.cols());
  f_.setZero();
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    const double weight = model_.weight(p) / options_.lambda;
    if (weight == 0) continue;
    const Plane& plane = planes_[p];
    f_ += weight * plane.scores;
    for (std::size_t v = 0; v < plane.examples.size(); ++v) {
      const std::uint32_t i = plane.examples[v];
      tau(i, static_cast<Index>(this->truth(i))) += weight * share;
      tau(i, plane.violators[v]) -= weight * share;
    }
  }
  squared_norm_ = 0;
  for (const std::uint32_t i : this->all()) {
    const std::span<const double> row(tau.row(i).data(), this->outputs());
    this->SetCoefficients(i, row);
    for (std::size_t r = 0; r < row.size(); ++r) squared_norm_ += row[r] * f_(i, static_cast<Index>(r));
  }
}

template <class T>
void SvmStruct<T>::Report(std::span<double> out) const {
  out[0] = primal_;
  out[1] = model_.slack();
  out[2] = static_cast<double>(planes_.size());
  out[3] = static_cast<double>(this->oracle_calls());
}

template class SvmStruct<float>;
template class SvmStruct<double>;

}  // namespace okbench::svm_struct
