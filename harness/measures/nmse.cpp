// Mean squared error, divided by the variance of the targets.

#include <limits>

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::nmse {
namespace {

double Value(const PredictionSums& sums) {
  const Moments moments = sums.moments();
  return moments.squares > 0 ? moments.squared / moments.squares : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "nmse",
          .title = "normalised mean squared error",
          .definition = "mse / variance of the targets; undefined if they are equal",
          .source = "",
          .needs = MeasureNeeds::kTargets,
          .value = Value};
}

}  // namespace okbench::prediction_measures::nmse
