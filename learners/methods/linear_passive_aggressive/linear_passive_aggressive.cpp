#include "learners/methods/linear_passive_aggressive/linear_passive_aggressive.h"

#include <algorithm>

#include "base/error.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/bases/test_set.h"

namespace okbench::linear_passive_aggressive {

template <class T>
LinearPassiveAggressive<T>::LinearPassiveAggressive(const Options& options, const LearnerContext<T>& context)
    : options_(options),
      kernel_(context.kernel),
      scale_(kernel_.kind == KernelKind::kPolynomial ? kernel_.scale : 1),
      constant_(kernel_.bias + (kernel_.kind == KernelKind::kPolynomial ? kernel_.offset : 0)),
      train_(*context.train),
      test_(context.test),
      kind_(train_.label_kind()),
      task_loss_(context.tree, context.graph),
      weights_(train_.features(),
               kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(train_.classes()) : 1),
      offsets_(weights_.columns()),
      f_(offsets_.size()),
      amounts_(static_cast<Eigen::Index>(f_.size())) {
  const bool line = kernel_.kind == KernelKind::kPolynomial && kernel_.degree == 1;
  if (kernel_.kind != KernelKind::kLinear && !line)
    throw InvalidArgument(
        "linear-passive-aggressive is a linear method: kernel.name must be linear, or gamma_factor 0");
}

template <class T>
void LinearPassiveAggressive<T>::Scores(const RowView<T>& row, Purpose purpose, std::span<double> f) {
  counter_.Map(purpose, f.size());
  std::fill(f.begin(), f.end(), 0.0);
  Eigen::Map<Outputs> sums(f.data(), static_cast<Eigen::Index>(f.size()));
  for (std::size_t j = 0; j < row.count; ++j)
    sums += weights_.view().row(Feature(row, j)) * static_cast<double>(row.values[j]);
  for (std::size_t r = 0; r < f.size(); ++r) f[r] += offsets_[r];
}

template <class T>
StepOutcome LinearPassiveAggressive<T>::Outcome(std::uint32_t example) const {
  return OneVsRestOutcome(f_, train_.target(example), kind_, task_loss_,
                          [this](std::size_t r, double y) { return HingeOf(f_[r], y, 1); });
}

template <class T>
StepOutcome LinearPassiveAggressive<T>::Predict(std::uint32_t example) {
  Scores(train_.row(example), Purpose::kMeasuring, f_);
  return Outcome(example);
}

template <class T>
StepOutcome LinearPassiveAggressive<T>::Step(std::uint32_t example) {
  const RowView<T> row = train_.row(example);
  Scores(row, Purpose::kLearning, f_);
  const StepOutcome outcome = Outcome(example);
  if (!outcome.margin_error) return outcome;
  counter_.Map(Purpose::kLearning, 1);
  double square = 0;
  for (std::size_t j = 0; j < row.count; ++j) {
    const auto value = static_cast<double>(row.values[j]);
    square += value * value;
  }
  const double self = scale_ * square + constant_;
  if (self <= 0) return outcome;
  for (std::size_t r = 0; r < f_.size(); ++r) {
    const double y = TargetOf(r, train_.target(example), kind_), loss = 1 - y * f_[r];
    const double tau = std::min(options_.c * train_.weight(example), loss / self);
    amounts_[static_cast<Eigen::Index>(r)] = loss > 0 ? tau * y * scale_ : 0;
    offsets_[r] += loss > 0 ? tau * y * constant_ : 0;
    updates_ += loss > 0 ? 1 : 0;
  }
  for (std::size_t j = 0; j < row.count; ++j)
    weights_.view().row(Feature(row, j)) += amounts_ * static_cast<double>(row.values[j]);
  return outcome;
}

template <class T>
void LinearPassiveAggressive<T>::Report(std::span<double> out) const {
  out[0] = static_cast<double>(train_.features() + (constant_ > 0 ? 1 : 0));
  out[1] = static_cast<double>(feature_evaluations());
  out[2] = static_cast<double>(updates_);
}

template <class T>
TestOutcome LinearPassiveAggressive<T>::Test() {
  const auto scores = [this](std::span<const std::uint32_t> rows, std::span<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      Scores(test_->row(rows[i]), Purpose::kMeasuring, out.subspan(i * f_.size(), f_.size()));
  };
  return CountMistakes(*test_, f_.size(), scores, task_loss_);
}

template <class T>
bool LinearPassiveAggressive<T>::ScoreRow(std::uint32_t example, std::span<double> out) {
  Scores(train_.row(example), Purpose::kMeasuring, out);
  return true;
}

template <class T>
void LinearPassiveAggressive<T>::AddClass() {
  f_.push_back(0);
  offsets_.push_back(0);
  amounts_.resize(amounts_.size() + 1);
  weights_.AddColumn();
}

template <class T>
void LinearPassiveAggressive<T>::Serialize(Archive& archive) {
  weights_.Serialize(archive);
  archive.Fixed("offsets", offsets_);
  SerializeCounts(archive, counter_.mutable_counts());
  archive.Field("updates", updates_);
}

template <class T>
AnyModel LinearPassiveAggressive<T>::CurrentModel() const {
  Model<T> model{.kernel = kernel_, .outputs = f_.size(), .offsets = offsets_};
  const auto weights = weights_.view();
  for (Eigen::Index r = 0; r < weights.cols(); ++r)
    for (Eigen::Index j = 0; j < weights.rows(); ++j) model.weights.push_back(weights(j, r));
  return model;
}

template class LinearPassiveAggressive<float>;
template class LinearPassiveAggressive<double>;

}  // namespace okbench::linear_passive_aggressive
