#include "learners/methods/svm_struct/svm_struct.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "learners/core/math.h"
#include "learners/core/stop.h"

namespace okbench::svm_struct {
namespace {

using Eigen::Index;

}  // namespace

template <class T>
SvmStruct<T>::SvmStruct(const Options& options, const LearnerContext<T>& context)
    : TrainingRows<T>(options, context),
      options_(options),
      model_(options.lambda, options.tolerance, context.train->size()),
      f_(RowMatrix<double>::Zero(static_cast<Index>(context.train->size()),
                                 static_cast<Index>(this->outputs()))) {}

template <class T>
RoundOutcome SvmStruct<T>::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  outcome.whole_set = true;
  this->engine_.CountRequested(this->all(), this->support());
  Plane plane;
  double offset = 0, weighted_loss = 0;  // sum of (w_i - 1) loss_i
  for (const std::uint32_t i : this->all()) {
    const std::size_t y = this->truth(i);
    const auto violator = this->CountScores(y, {f_.row(i).data(), this->outputs()}, outcome);
    weighted_loss += (this->weight(i) - 1) * violator.value;
    if (violator.output == y) continue;
    plane.examples.push_back(i);
    plane.violators.push_back(static_cast<std::uint32_t>(violator.output));
    offset += this->weight(i) * this->task_->Delta(y, violator.output);
  }
  const double risk = outcome.mean_loss + weighted_loss / static_cast<double>(this->size());
  primal_ = options_.lambda / 2 * squared_norm_ + risk;
  if (plane.examples.empty() || model_.Converged(risk)) {
    outcome.finished = outcome.converged = true;
    return outcome;
  }
  AddPlane(std::move(plane), offset / static_cast<double>(this->size()));
  const RowMatrix<double>& scores = model_.planes().back().scores;
  if (!AllFinite(std::span(scores.data(), static_cast<std::size_t>(scores.size())))) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  model_.Solve();
  Assemble();
  return outcome;
}

template <class T>
void SvmStruct<T>::AddPlane(Plane plane, double offset) {
  const auto n = static_cast<double>(this->size());
  const std::size_t outputs = this->outputs(), slots = this->blocks_.slots();
  const VectorOps<T> ops;
  images_.assign(outputs * slots, 0.0);
  for (std::size_t v = 0; v < plane.examples.size(); ++v) {
    CheckStop();
    const std::uint32_t i = plane.examples[v];
    const T* row = this->Row(i);
    const double share = this->weight(i) / n;
    ops.AddScaled(row, slots, share, images_.data() + this->truth(i) * slots);
    ops.AddScaled(row, slots, -share, images_.data() + plane.violators[v] * slots);
  }
  plane.scores.resize(f_.rows(), f_.cols());
  for (const std::uint32_t j : this->all()) {
    const std::span<double> row(plane.scores.row(j).data(), outputs);
    for (std::size_t r = 0; r < outputs; ++r) row[r] = images_[r * slots + j];
    this->task_->OutputProducts(row, row);
  }
  model_.Add(std::move(plane), offset, this->engine_, [&](const Plane& added, const Plane& member) {
    double product = 0;
    for (std::size_t v = 0; v < added.examples.size(); ++v) {
      const auto row = member.scores.row(added.examples[v]);
      product += this->weight(added.examples[v]) *
                 (row[static_cast<Index>(this->truth(added.examples[v]))] - row[added.violators[v]]);
    }
    return 1 / n * product;
  });
}

// Recomputes the scores, coefficients and norm of f from the new weights.
template <class T>
void SvmStruct<T>::Assemble() {
  const auto n = static_cast<double>(this->size());
  RowMatrix<double> tau = RowMatrix<double>::Zero(f_.rows(), f_.cols());
  f_.setZero();
  model_.ForEachPlane([&](const Plane& plane, double weight) {
    f_ += weight * plane.scores;
    for (std::size_t v = 0; v < plane.examples.size(); ++v) {
      const std::uint32_t i = plane.examples[v];
      const double share = this->weight(i) / n;
      tau(i, static_cast<Index>(this->truth(i))) += weight * share;
      tau(i, plane.violators[v]) -= weight * share;
    }
  });
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
  out[2] = static_cast<double>(model_.planes().size());
  out[3] = static_cast<double>(this->oracle_calls());
}

template class SvmStruct<float>;
template class SvmStruct<double>;

}  // namespace okbench::svm_struct
