#include "learners/methods/fogd/fogd.h"

#include <algorithm>

#include "learners/bases/one_vs_rest.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"

namespace okbench::fogd {

template <class T>
Fogd<T>::Fogd(const Options& options, const LearnerContext<T>& context)
    : train_(*context.train),
      test_(context.test),
      kind_(train_.label_kind()),
      task_loss_(context.tree, context.graph),
      target_loss_(kind_ == LabelKind::kReal ? MakeLoss(options.target_loss, kind_, 0) : nullptr),
      eta_(options.eta),
      width_(options.width),
      kernel_(context.kernel),
      map_(DrawComponents<T>(context.kernel, options.features, train_.features(), context.seed), train_,
           context.lookahead),
      f_(kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(train_.classes()) : 1),
      weights_(f_.size() * map_.stride(), 0.0) {}

template <class T>
void Fogd<T>::Scores(const double* z, std::span<double> f) const {
  ops_.WeightedSums(z, map_.stride() / SupportBlocks<T>::kBlock, weights_.data(), map_.stride(), f.size(),
                    nullptr, f.data());
}

template <class T>
StepOutcome Fogd<T>::Step(std::uint32_t example) {
  return Score(example, map_.Row(example), true);
}

template <class T>
StepOutcome Fogd<T>::Predict(std::uint32_t example) {
  StepOutcome outcome;
  map_.ForEach(train_, std::span(&example, 1),
               [&](std::size_t, const double* z) { outcome = Score(example, z, false); });
  return outcome;
}

template <class T>
StepOutcome Fogd<T>::Score(std::uint32_t example, const double* z, bool learns) {
  Scores(z, f_);
  if (!AllFinite(f_)) return {.loss = std::numeric_limits<double>::quiet_NaN(), .mistake = true};
  const double target = train_.target(example);
  StepOutcome outcome{
      .prediction = f_[0], .violation = -std::numeric_limits<double>::infinity(), .scores = f_};
  const auto learn = [&](std::size_t r, const LossValue& value, double slope) {
    outcome.loss += value.loss;
    outcome.mistake = outcome.mistake || value.mistake;
    outcome.margin_error = outcome.margin_error || value.margin_error;
    outcome.violation = std::max(outcome.violation, value.violation);
    if (slope == 0 || !learns) return;
    ops_.AddScaled(z, map_.stride(), -eta_ * slope * train_.weight(example),
                   weights_.data() + r * map_.stride());
    ++updates_;
  };
  if (target_loss_ != nullptr) {
    double slope = 0;
    const LossValue value = target_loss_->Evaluate(f_, target, width_, std::span(&slope, 1));
    learn(0, value, slope);
    return outcome;
  }
  const bool classes = kind_ == LabelKind::kMulticlass;
  for (std::size_t r = 0; r < f_.size(); ++r) {
    const double y = !classes ? target : static_cast<std::size_t>(target) == r ? 1 : -1;
    const LossValue value = HingeOf(f_[r], y, 1);
    learn(r, value, value.margin_error ? -y : 0);
  }
  if (classes) {
    outcome.mistake = ArgMax(f_) != static_cast<std::size_t>(target);
    outcome.task_loss = task_loss_(f_, static_cast<std::size_t>(target));
  }
  return outcome;
}

template <class T>
void Fogd<T>::Report(std::span<double> out) const {
  out[0] = static_cast<double>(map_.size());
  out[1] = static_cast<double>(feature_evaluations());
  out[2] = static_cast<double>(updates_);
}

template <class T>
TestOutcome Fogd<T>::Test() {
  const Examples<T>& set = *test_;
  const auto scores = [&](std::span<const std::uint32_t> rows, std::span<double> out) {
    map_.ForEach(set, rows,
                 [&](std::size_t i, const double* z) { Scores(z, out.subspan(i * f_.size(), f_.size())); });
  };
  if (kind_ != LabelKind::kReal)
    return CountMistakes(
        set, f_.size(), scores,
        [](std::span<const double> f, std::int32_t y) {
          return f.size() == 1 ? !(y * f[0] > 0) : ArgMax(f) != static_cast<std::size_t>(y);
        },
        task_loss_);
  return SumSquaredErrors(set, scores);
}

template <class T>
void Fogd<T>::Serialize(Archive& archive) {
  map_.Serialize(archive);
  archive.Fixed("weights", weights_);
  archive.Field("updates", updates_);
}

template <class T>
AnyModel Fogd<T>::CurrentModel() const {
  Model<T> model{.kernel = kernel_, .outputs = f_.size()};
  model.components = map_.components();
  for (std::size_t r = 0; r < f_.size(); ++r)
    for (std::size_t c = 0; c < map_.size(); ++c) model.weights.push_back(weights(r)[map_.place(c)]);
  return model;
}

template class Fogd<float>;
template class Fogd<double>;

}  // namespace okbench::fogd
