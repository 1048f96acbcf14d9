// Geometric mean of the recalls of the classes that occur.

#include "harness/measures/prediction_measure.h"
#include "learners/core/math.h"

namespace okbench::prediction_measures::g_mean {
namespace {

double Value(const PredictionSums& sums) {
  double logs = 0, classes = 0;
  bool zero = false;
  ForEachRecall(sums, [&](double recall) {
    zero = zero || recall == 0;
    logs += zero ? 0 : Log(recall);
    ++classes;
  });
  return zero ? 0 : Exp(logs / classes);
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "g-mean",
          .title = "geometric mean of recalls",
          .definition = "(product of the recalls of the k classes seen)^(1/k)",
          .source = "Kubat and Matwin 1997",
          .needs = MeasureNeeds::kClasses,
          .larger = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::g_mean
