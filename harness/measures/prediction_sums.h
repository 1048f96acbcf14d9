#pragma once
// PredictionSums: everything that measures need of the last predictions, updated in O(1) a step, or in
// O(outputs log window) if scores are ranked.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "harness/measures/moments.h"
#include "harness/measures/prediction.h"
#include "harness/measures/rank_counts.h"

namespace okbench {

/// Kind and sizes of the predictions of a trial.
struct PredictionShape {
  ScoreKind kind = ScoreKind::kMargins;
  std::size_t classes = 2;  ///< 0: real targets
  std::size_t outputs = 1;  ///< scores per prediction
};

/// A prediction with the values that depend on the sequence before it.
struct SequencedPrediction {
  Prediction prediction;
  bool majority_right = false;    ///< predicting the most frequent label before it would be right
  bool last_label_right = false;  ///< predicting the label before it would be right
  Moments moments;
};

/// Adds the values that depend on earlier predictions, and the losses. Not thread-safe.
class PredictionSequence {
 public:
  explicit PredictionSequence(const PredictionShape& shape) : shape_(shape), labels_(shape.classes) {}
  SequencedPrediction Next(const Prediction& prediction);

 private:
  PredictionShape shape_;
  std::vector<std::uint64_t> labels_;  // examples per class
  std::size_t majority_ = 0;           // most frequent class so far, ties to the lowest
  std::optional<std::uint32_t> last_;
  std::uint64_t number_ = 0;
};

/// Sums over the last `window` predictions, or over all of them. Not thread-safe.
class PredictionSums {
 public:
  /// `window`: number of predictions; 0: all. `ranks`: whether AUC is needed.
  PredictionSums(const PredictionShape& shape, std::size_t window, bool ranks);

  void Add(const SequencedPrediction& added);

  double size() const { return static_cast<double>(size_); }
  std::size_t classes() const { return shape_.classes; }
  /// Examples with this label, predictions of this class, and examples where both hold.
  double labels(std::size_t c) const { return static_cast<double>(labels_[c]); }
  double predictions(std::size_t c) const { return static_cast<double>(predictions_[c]); }
  double right(std::size_t c) const { return static_cast<double>(right_[c]); }
  double right() const { return static_cast<double>(all_right_); }
  /// Right predictions of the majority class so far, and of the label before.
  double majority_right() const { return static_cast<double>(majority_right_); }
  double last_label_right() const { return static_cast<double>(last_label_right_); }
  double flagged() const { return static_cast<double>(flagged_); }
  double Auc() const { return ranks_->Auc(); }
  Moments moments() const { return moments_.value(); }

 private:
  void Count(const SequencedPrediction& step, std::int64_t sign);

  PredictionShape shape_;
  std::size_t window_;
  std::optional<RankCounts> ranks_;
  SlidingMoments moments_;
  std::int64_t size_ = 0, all_right_ = 0, majority_right_ = 0, last_label_right_ = 0, flagged_ = 0;
  std::vector<std::int64_t> labels_, predictions_, right_;  // by class
  // The window, as a ring.
  std::vector<SequencedPrediction> ring_;
  std::vector<float> held_scores_;
  std::size_t oldest_ = 0;
};

}  // namespace okbench
