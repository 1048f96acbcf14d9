#include "learners/methods/linear/linear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "learners/bases/binary_learner.h"
#include "learners/bases/linear_model.h"
#include "learners/bases/test_set.h"
#include "learners/core/sums.h"

namespace okbench::linear {
namespace {

constexpr double kFoldBelow = 0x1p-16;  // value of s below which the lazy factors are folded

}  // namespace

template <class T>
LinearSvm<T>::LinearSvm(const Options& options, const LearnerContext<T>& context)
    : options_(options), train_(*context.train), test_(context.test), weights_(train_.features(), 2) {
  RequireLinearBinary("linear", context);
}

template <class T>
typename LinearSvm<T>::Pair LinearSvm<T>::Products(const RowView<T>& row) {
  products_ += (options_.average ? 2 : 1) * row.count;
  Pair sums = Pair::Zero();
  for (std::size_t j = 0; j < row.count; ++j)
    sums += weights_.view().row(Feature(row, j)) * static_cast<double>(row.values[j]);
  return sums;
}

template <class T>
double LinearSvm<T>::Score(const Pair& products) const {
  if (!options_.average) return s_ * products[kU];
  if (t_ == 1) return 0;  // before the first step
  return (sum_of_s_ * products[kU] + products[kR]) / SumOfImportance(t_ - 1);
}

// u <- u + amount x.
template <class T>
void LinearSvm<T>::Add(const RowView<T>& row, double amount) {
  products_ += ((options_.projection ? 2 : 0) + (options_.average ? 2 : 1)) * row.count;
  const Pair amounts(amount, options_.average ? -sum_of_s_ * amount : 0);
  double product = 0, square = 0;
  for (std::size_t j = 0; j < row.count; ++j) {
    auto weights = weights_.view().row(Feature(row, j));
    const auto value = static_cast<double>(row.values[j]);
    if (options_.projection) {
      product += weights[kU] * value;
      square += value * value;
    }
    weights += amounts * value;
  }
  squared_u_ += amount * (2 * product + amount * square);
}

template <class T>
void LinearSvm<T>::Shrink(double factor) {
  s_ *= factor;
  if (s_ < kFoldBelow) Fold();
}

template <class T>
void LinearSvm<T>::Fold() {
  products_ += 3 * static_cast<std::uint64_t>(weights_.view().rows());  // r += S u, u <- s u, ||u||^2
  weights_.view().col(kR) += sum_of_s_ * weights_.view().col(kU);
  weights_.view().col(kU) *= s_;
  squared_u_ = SquaredNorm(weights_.view().col(kU));
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
    const Pair products = Products(row);
    CountScore(Score(products), y, outcome);
    if (y * s_ * products[kU] < 1) violators_.push_back(i);
  }
  const auto steps = static_cast<double>(t_);
  if (options_.schedule == Schedule::kInverse) {
    step_size_ = 1 / (options_.lambda * steps);
    if (t_ > 1) Shrink(1 - 1 / steps);  // w = 0 before the first step
  } else {
    step_size_ = std::min(options_.eta0 / std::sqrt(steps), 1 / options_.lambda);
    if (t_ > 1) Shrink(std::max(0.0, 1 - step_size_ * options_.lambda));
  }
  const double amount = step_size_ / static_cast<double>(batch.size()) / s_;
  for (const std::uint32_t i : violators_) {
    const RowView<T> row = train_.row(i);
    Add(row, train_.weight(i) * train_.label(i) * amount);
  }
  if (options_.projection) {
    const double norm = s_ * s_ * squared_u_ * options_.lambda;
    if (!std::isfinite(norm)) outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();
    if (norm > 1) Shrink(1 / std::sqrt(norm));
  }
  if (options_.average) {
    if (t_ > 1) importance_ *= 1 + options_.decay / (steps - 1);
    sum_of_s_ += importance_ * s_;
  }
  return outcome;
}

template <class T>
Eigen::VectorXd LinearSvm<T>::weights() const {
  return s_ * weights_.view().col(kU);
}

template <class T>
double LinearSvm<T>::SumOfWeights(Eigen::Index feature) const {
  return sum_of_s_ * weights_.view()(feature, kU) + weights_.view()(feature, kR);
}

template <class T>
Eigen::VectorXd LinearSvm<T>::predicting() const {
  if (!Averages()) return weights();
  const double total = SumOfImportance(t_);
  return Eigen::VectorXd::NullaryExpr(
      weights_.view().rows(), [this, total](Eigen::Index feature) { return SumOfWeights(feature) / total; });
}

template <class T>
void LinearSvm<T>::Report(std::span<double> out) const {
  out[0] = step_size_;
  // Many steps are recorded, so this does not copy the weights. The sum has four chains, because each
  // addition waits for the one before in its chain.
  const auto squared_norm = [features = weights_.view().rows()](const auto& weight) {
    std::array<double, 4> sums{};
    Eigen::Index feature = 0;
    for (; feature + 4 <= features; feature += 4)
      for (Eigen::Index chain = 0; chain < 4; ++chain) {
        const double value = weight(feature + chain);
        sums[static_cast<std::size_t>(chain)] += value * value;
      }
    for (; feature < features; ++feature) sums[0] += weight(feature) * weight(feature);
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
  };
  const double total = SumOfImportance(t_);
  out[1] = Averages() ? squared_norm([this](Eigen::Index f) { return SumOfWeights(f); }) / (total * total)
                      : s_ * s_ * squared_norm([this](Eigen::Index f) { return weights_.view()(f, kU); });
  out[2] = static_cast<double>(products_);
}

template <class T>
TestOutcome LinearSvm<T>::Test() {
  return TestLinear(*test_, predicting());
}

template <class T>
TrainingOutcome LinearSvm<T>::MeasureTraining() {
  return MeasureLinear<T>(train_, AllRows(train_), predicting(), options_.lambda);
}

template <class T>
void LinearSvm<T>::Serialize(Archive& archive) {
  weights_.Serialize(archive);
  archive.Field("s", s_);
  archive.Field("sum_of_s", sum_of_s_);
  archive.Field("squared_u", squared_u_);
  archive.Field("step_size", step_size_);
  archive.Field("t", t_);
  archive.Field("products", products_);
  if (options_.decay > 0) archive.Field("importance", importance_);
}

template class LinearSvm<float>;
template class LinearSvm<double>;

}  // namespace okbench::linear
