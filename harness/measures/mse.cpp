// Mean squared error.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::mse {
namespace {

double Value(const PredictionSums& sums) { return sums.moments().squared / sums.size(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "mse",
          .title = "mean squared error",
          .definition = "mean of (prediction - target)^2",
          .source = "",
          .needs = MeasureNeeds::kTargets,
          .value = Value};
}

}  // namespace okbench::prediction_measures::mse
