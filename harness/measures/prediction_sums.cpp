#include "harness/measures/prediction_sums.h"

#include <algorithm>

#include "learners/core/math.h"

namespace okbench {
namespace {

// -log P(label), from the scores. The largest term of a softmax is taken out, so that nothing overflows.
double LogLoss(const PredictionShape& shape, const Prediction& prediction) {
  if (shape.kind == ScoreKind::kLogOdds) {
    const double margin = (prediction.label == 1 ? 1.0 : -1.0) * static_cast<double>(prediction.scores[0]);
    return LogOnePlusExp(-margin);
  }
  const auto largest =
      static_cast<double>(*std::max_element(prediction.scores.begin(), prediction.scores.end()));
  double sum = 0;
  for (const float f : prediction.scores) sum += Exp(static_cast<double>(f) - largest);
  return Log(sum) + largest - static_cast<double>(prediction.scores[prediction.label]);
}

}  // namespace

SequencedPrediction PredictionSequence::Next(const Prediction& prediction) {
  SequencedPrediction next{.prediction = prediction, .moments = {}};
  next.moments.count = 1;
  if (shape_.kind == ScoreKind::kReal) {
    const double error = prediction.value - prediction.target;
    next.moments.mean = prediction.target;
    next.moments.squared = error * error;
    next.moments.absolute = std::fabs(error);
  }
  if (shape_.kind == ScoreKind::kLogOdds || shape_.kind == ScoreKind::kSoftmax)
    next.moments.log_loss = LogLoss(shape_, prediction);
  if (shape_.classes > 0) {
    const std::size_t label = prediction.label;
    next.majority_right = number_ > 0 && label == majority_;
    next.last_label_right = last_ == prediction.label;
    ++labels_[label];
    if (labels_[label] > labels_[majority_] || (labels_[label] == labels_[majority_] && label < majority_))
      majority_ = label;
    last_ = prediction.label;
  }
  ++number_;
  return next;
}

PredictionSums::PredictionSums(const PredictionShape& shape, std::size_t window, bool ranks)
    : shape_(shape),
      window_(window),
      moments_(window),
      labels_(shape.classes),
      predictions_(shape.classes),
      right_(shape.classes) {
  if (ranks) ranks_.emplace(shape.classes, shape.outputs);
}

void PredictionSums::Count(const SequencedPrediction& step, std::int64_t sign) {
  const Prediction& p = step.prediction;
  size_ += sign;
  flagged_ += p.flagged ? sign : 0;
  if (shape_.classes == 0) return;
  labels_[p.label] += sign;
  if (p.predicted >= 0) predictions_[static_cast<std::size_t>(p.predicted)] += sign;
  if (p.predicted == static_cast<std::int32_t>(p.label)) {
    right_[p.label] += sign;
    all_right_ += sign;
  }
  majority_right_ += step.majority_right ? sign : 0;
  last_label_right_ += step.last_label_right ? sign : 0;
}

void PredictionSums::Add(const SequencedPrediction& added) {
  Count(added, 1);
  moments_.Add(added.moments);
  if (ranks_) ranks_->Add(added.prediction.label, added.prediction.scores);
  if (window_ == 0) return;
  const std::size_t outputs = ranks_ ? shape_.outputs : 0;
  const auto scores_at = [&](std::size_t at) {
    return std::span(held_scores_).subspan(at * outputs, outputs);
  };
  std::size_t at = ring_.size();
  if (at < window_) {
    ring_.push_back(added);
    held_scores_.resize(held_scores_.size() + outputs);
  } else {
    at = oldest_;
    oldest_ = (oldest_ + 1) % window_;
    Count(ring_[at], -1);
    if (ranks_) ranks_->Remove(ring_[at].prediction.label, scores_at(at));
    ring_[at] = added;
  }
  ring_[at].prediction.scores = {};  // they belong to the caller
  std::copy_n(added.prediction.scores.begin(), outputs, scores_at(at).begin());
}

}  // namespace okbench
