#pragma once
// PredictionRecorder: the optional table "predictions" of a trace. It has the label, the prediction and the
// scores of every step of a stream, so that any measure can be computed later without another run. Its memory
// grows with the stream.
//
//   label       label of the example: -1 and 1, or the class; "target", if targets are real
//   predicted   the class predicted before learning; 0 if a binary score is 0. Not for real targets
//   score_r     f_r(x_t) before learning, rounded to single precision

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/measures/trace.h"
#include "learners/api/learner.h"
#include "learners/core/examples.h"

namespace okbench {

/// Collects the predictions of one trial. Not thread-safe.
class PredictionRecorder {
 public:
  explicit PredictionRecorder(bool records) : records_(records) {}

  bool empty() const { return !records_; }

  /// Records a step. Throws TrialFailure if the learner reports no scores.
  template <class T>
  void Step(const Examples<T>& train, std::uint32_t example, const StepOutcome& outcome) {
    if (!records_) return;
    if (outcome.scores.empty())
      throw TrialFailure("argument", "the learner reports no scores; remove trace.predictions");
    if (train.label_kind() == LabelKind::kReal)
      targets_.push_back(train.target(example));
    else
      PredictClass(train.label(example), outcome);
    scores_.resize(outcome.scores.size());
    for (std::size_t r = 0; r < scores_.size(); ++r) scores_[r].push_back(Rounded(outcome.scores[r]));
  }

  /// The table. Copies the collected values.
  Table ToTable() const {
    Table table{.name = "predictions", .columns = {}};
    if (targets_.empty()) {
      table.columns.push_back({"label", true, labels_});
      table.columns.push_back({"predicted", true, predicted_});
    } else {
      table.columns.push_back({"target", true, targets_});
    }
    for (std::size_t r = 0; r < scores_.size(); ++r)
      table.columns.push_back({"score_" + std::to_string(r), true, scores_[r]});
    return table;
  }

 private:
  static double Rounded(double score) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    return static_cast<double>(static_cast<float>(std::clamp(score, -kLargest, kLargest)));
  }
  // The learner says whether a binary prediction is wrong, because a novelty detector compares the
  // score with its margin.
  void PredictClass(std::int32_t label, const StepOutcome& outcome) {
    const std::int64_t wrong = outcome.scores[0] == 0 ? 0 : -label;
    labels_.push_back(label);
    predicted_.push_back(outcome.scores.size() > 1 ? static_cast<std::int64_t>(ArgMax(outcome.scores))
                         : outcome.mistake         ? wrong
                                                   : label);
  }

  bool records_;
  std::vector<std::int64_t> labels_, predicted_;
  std::vector<double> targets_;
  std::vector<std::vector<double>> scores_;  // [output][step]
};

}  // namespace okbench
