// Share of wrong predictions, the prequential error.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::error {
namespace {

double Value(const PredictionSums& sums) { return 1 - sums.right() / sums.size(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "error",
          .title = "share of wrong predictions",
          .definition = "1 - accuracy",
          .source = "",
          .needs = MeasureNeeds::kClasses,
          .percent = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::error
