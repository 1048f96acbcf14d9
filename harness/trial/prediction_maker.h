#pragma once
// PredictionMaker: turns the scores of a learner into a Prediction.

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/error.h"
#include "harness/measures/prediction_sums.h"
#include "learners/core/examples.h"
#include "learners/core/math.h"

namespace okbench {

/// Makes the predictions of one trial. The scores of a prediction are valid until the next one. Not
/// thread-safe.
class PredictionMaker {
 public:
  /// `scores`: Trial::scores.
  PredictionMaker(const PredictionShape& scores, LabelKind labels)
      : shape_(scores), binary_(labels == LabelKind::kBinary) {}

  /// `outputs` is the number of scores of the last prediction.
  const PredictionShape& shape() const { return shape_; }

  /// The prediction for row i. `flagged`: whether a novelty detector flags it; ignored for other learners.
  /// `tested`: made by a model on the test part, where a binary score 0 predicts -1 as `predict` does. On the
  /// stream it predicts no class.
  /// Throws TrialFailure "diverged" for a score beyond single precision.
  template <class T>
  Prediction Make(const Examples<T>& set, std::size_t i, std::span<const double> scores, bool flagged,
                  bool tested = false) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    shape_.outputs = scores.size();
    rounded_.resize(scores.size());
    for (std::size_t r = 0; r < scores.size(); ++r) {
      // Clipped scores would be ties, which measures of ranks count as halves.
      if (std::fabs(scores[r]) > kLargest) throw TrialFailure("diverged", "a score is beyond 3.4e38");
      rounded_[r] = static_cast<float>(scores[r]);
    }
    Prediction prediction{.scores = rounded_};
    if (shape_.kind == ScoreKind::kReal) {
      prediction.target = set.target(i);
      prediction.value = scores[0];
      return prediction;
    }
    const std::int32_t label = set.label(i);
    prediction.label = static_cast<std::uint32_t>(binary_ ? (label > 0 ? 1 : 0) : label);
    if (shape_.kind == ScoreKind::kOneClass) {
      prediction.flagged = flagged;
      prediction.predicted = flagged ? 0 : 1;
    } else if (scores.size() > 1) {
      prediction.predicted = static_cast<std::int32_t>(ArgMax(scores));
    } else {
      prediction.predicted = scores[0] > 0 ? 1 : scores[0] < 0 || tested ? 0 : -1;
    }
    return prediction;
  }

 private:
  PredictionShape shape_;
  bool binary_;
  std::vector<float> rounded_;
};

}  // namespace okbench
