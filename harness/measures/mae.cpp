// Mean absolute error.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::mae {
namespace {

double Value(const PredictionSums& sums) { return sums.moments().absolute / sums.size(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "mae",
          .title = "mean absolute error",
          .definition = "mean of |prediction - target|",
          .source = "",
          .needs = MeasureNeeds::kTargets,
          .value = Value};
}

}  // namespace okbench::prediction_measures::mae
