// Mean recall of the classes that occur.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::balanced_accuracy {
namespace {

double Value(const PredictionSums& sums) {
  double sum = 0, classes = 0;
  ForEachRecall(sums, [&](double recall) {
    sum += recall;
    ++classes;
  });
  return sum / classes;
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "balanced-accuracy",
          .title = "mean recall",
          .definition = "mean recall of the classes seen",
          .source = "",
          .needs = MeasureNeeds::kClasses,
          .percent = true,
          .larger = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::balanced_accuracy
