// Mean squared error in decibel.

#include <limits>

#include "harness/measures/prediction_measure.h"
#include "learners/core/math.h"

namespace okbench::prediction_measures::decibel {
namespace {

constexpr double kLn10 = 0x1.26bb1bbb55516p+1;

double Value(const PredictionSums& sums) {
  const double mse = sums.moments().squared / sums.size();
  return mse > 0 ? 10 / kLn10 * Log(mse) : -std::numeric_limits<double>::infinity();
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "decibel",
          .title = "mean squared error in decibel",
          .definition = "10 log10(mse)",
          .source = "",
          .needs = MeasureNeeds::kTargets,
          .value = Value};
}

}  // namespace okbench::prediction_measures::decibel
