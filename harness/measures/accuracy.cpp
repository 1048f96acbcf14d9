// Share of right predictions.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::accuracy {
namespace {

double Value(const PredictionSums& sums) { return sums.right() / sums.size(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "accuracy",
          .title = "share of right predictions",
          .definition = "right / n",
          .source = "",
          .needs = MeasureNeeds::kClasses,
          .percent = true,
          .larger = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::accuracy
