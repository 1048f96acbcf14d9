// Coefficient of determination.

#include <limits>

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::r2 {
namespace {

double Value(const PredictionSums& sums) {
  const Moments moments = sums.moments();
  return moments.squares > 0 ? 1 - moments.squared / moments.squares
                             : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "r2",
          .title = "coefficient of determination",
          .definition = "1 - nmse",
          .source = "",
          .needs = MeasureNeeds::kTargets,
          .larger = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::r2
