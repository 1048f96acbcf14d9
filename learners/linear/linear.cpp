#include "learners/linear/linear.h"

#include <cmath>
#include <limits>

#include "learners/bases/binary_learner.h"
#include "learners/bases/linear_model.h"
#include "learners/bases/test_set.h"

namespace okbench::linear {
namespace {

constexpr double kFoldBelow = 0x1p-16;

template <class T>
std::size_t Feature(const RowView<T>& row, std::size_t j) {
  return row.indices ? row.indices[j] : j;
}

}  // namespace

template <class T>
LinearSvm<T>::LinearSvm(const Options& options, const LearnerContext<T>& context)
    : options_(options), train_(*context.train), test_(context.test), weights_(context.train->features()) {
  RequireLinearBinary("linear", context);
}

template <class T>
double LinearSvm<T>::ProductWithU(const RowView<T>& row) {
  products_ += row.count;
  double sum = 0;
  for (std::size_t j = 0; j < row.count; ++j)
    sum += weights_[Feature(row, j)].u * static_cast<double>(row.values[j]);
  return sum;
}

// The score of what predicts, given <u, x>.
template <class T>
double LinearSvm<T>::Score(const RowView<T>& row, double product) {
  if (!options_.average) return s_ * product;
  if (t_ == 1) return 0;  // before the first step
  products_ += row.count;
  double sum = sum_of_s_ * product;
  for (std::size_t j = 0; j < row.count; ++j) {
    const Weight& weight = weights_[Feature(row, j)];
    sum += (weight.base - weight.r) * static_cast<double>(row.values[j]);
  }
  return sum / static_cast<double>(t_ - 1);
}

// u <- u + amount x.
template <class T>
void LinearSvm<T>::Add(const RowView<T>& row, double amount) {
  if (options_.projection) {
    products_ += row.count;
    double square = 0;
    for (std::size_t j = 0; j < row.count; ++j)
      square += static_cast<double>(row.values[j]) * static_cast<double>(row.values[j]);
    squared_u_ += amount * (2 * ProductWithU(row) + amount * square);
  }
  products_ += (options_.average ? 2 : 1) * row.count;
  const double in_sum = options_.average ? sum_of_s_ * amount : 0;
  for (std::size_t j = 0; j < row.count; ++j) {
    Weight& weight = weights_[Feature(row, j)];
    weight.u += amount * static_cast<double>(row.values[j]);
    weight.r += in_sum * static_cast<double>(row.values[j]);
  }
}

template <class T>
void LinearSvm<T>::Shrink(double factor) {
  s_ *= factor;
  if (s_ < kFoldBelow) Fold();
}

template <class T>
void LinearSvm<T>::Fold() {
  products_ += 3 * weights_.size();
  squared_u_ = 0;
  for (Weight& weight : weights_) {
    weight.base += sum_of_s_ * weight.u - weight.r;
    weight.r = 0;
    weight.u *= s_;
    squared_u_ += weight.u * weight.u;
  }
  sum_of_s_ = 0;
  s_ = 1;
}

template <class T>
RoundOutcome LinearSvm<T>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  RoundOutcome outcome;
  violators_.clear();
  for (const std::uint32_t i : batch) {
    const RowView<T> row = train_.row(i);
    const double y = train_.label(i);
    const double product = ProductWithU(row);
    CountScore(Score(row, product), y, outcome);
    if (y * s_ * product < 1) violators_.push_back(i);
  }
  const auto steps = static_cast<double>(t_);
  step_size_ = 1 / (options_.lambda * steps);
  if (t_ > 1) Shrink(1 - 1 / steps);  // w = 0 before the first step
  const double amount = step_size_ / static_cast<double>(batch.size()) / s_;
  for (const std::uint32_t i : violators_) {
    const RowView<T> row = train_.row(i);
    Add(row, train_.label(i) * amount);
  }
  if (options_.projection) {
    const double norm = s_ * s_ * squared_u_ * options_.lambda;
    if (!std::isfinite(norm)) outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();
    if (norm > 1) Shrink(1 / std::sqrt(norm));
  }
  if (options_.average) sum_of_s_ += s_;
  return outcome;
}

template <class T>
std::vector<double> LinearSvm<T>::weights() const {
  std::vector<double> w;
  for (const Weight& weight : weights_) w.push_back(s_ * weight.u);
  return w;
}

template <class T>
std::vector<double> LinearSvm<T>::predicting() const {
  if (!options_.average || t_ == 0) return weights();
  std::vector<double> w;
  for (const Weight& weight : weights_)
    w.push_back((weight.base + (sum_of_s_ * weight.u - weight.r)) / static_cast<double>(t_));
  return w;
}

template <class T>
void LinearSvm<T>::Report(std::span<double> out) const {
  out[0] = step_size_;
  out[1] = SquaredNorm(predicting());
  out[2] = static_cast<double>(products_);
}

template <class T>
TestOutcome LinearSvm<T>::Test() {
  return TestLinear(*test_, predicting());
}

template <class T>
std::optional<TrainingOutcome> LinearSvm<T>::MeasureTraining() {
  return MeasureLinear<T>(train_, AllRows(train_), predicting(), options_.lambda);
}

template class LinearSvm<float>;
template class LinearSvm<double>;

}  // namespace okbench::linear
