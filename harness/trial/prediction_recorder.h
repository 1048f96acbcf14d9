#pragma once
// PredictionRecorder: the optional table "predictions" of a trace. It has the label, the prediction and the
// scores of every step of a stream, so that any measure can be computed later without another run. Its memory
// grows with the stream.
//
//   label       label of the example: -1 and 1, or the class; "target", if targets are real
//   predicted   the class predicted before learning; 0 if a binary score is 0. Novelty: -1 if the example is
//               flagged, else 1. Not for real targets
//   score_r     f_r(x_t) before learning; rounded to single precision, except for real targets

#include <string>
#include <utility>
#include <vector>

#include "harness/measures/prediction.h"
#include "harness/trace/trace.h"

namespace okbench {

/// Collects the predictions of one trial. Not thread-safe.
class PredictionRecorder {
 public:
  explicit PredictionRecorder(bool records) : records_(records) {}

  bool empty() const { return !records_; }

  /// Records a step. `label`: of the example; ignored for real targets. `binary`: the data has the labels -1
  /// and 1.
  void Step(const Prediction& prediction, ScoreKind kind, std::int32_t label, bool binary) {
    if (!records_) return;
    if (kind == ScoreKind::kReal) {
      targets_.push_back(prediction.target);
      values_.push_back(prediction.value);
      return;
    }
    labels_.push_back(label);
    const bool signs = (binary && prediction.scores.size() == 1) || kind == ScoreKind::kOneClass;
    predicted_.push_back(!signs                     ? prediction.predicted
                         : prediction.predicted < 0 ? 0
                                                    : 2 * prediction.predicted - 1);
    scores_.resize(prediction.scores.size());
    for (std::size_t r = 0; r < scores_.size(); ++r)
      scores_[r].push_back(static_cast<double>(prediction.scores[r]));
  }

  /// The table. Copies the collected values.
  Table ToTable() const {
    Table table{.name = "predictions", .columns = {}};
    if (targets_.empty()) {
      table.columns.push_back({"label", true, labels_});
      table.columns.push_back({"predicted", true, predicted_});
    } else {
      table.columns.push_back({"target", true, targets_});
      table.columns.push_back({"score_0", true, values_});
    }
    for (std::size_t r = 0; r < scores_.size(); ++r)
      table.columns.push_back({"score_" + std::to_string(r), true, scores_[r]});
    return table;
  }

 private:
  bool records_;
  std::vector<std::int64_t> labels_, predicted_;
  std::vector<double> targets_, values_;
  std::vector<std::vector<double>> scores_;  // [output][step]
};

}  // namespace okbench
