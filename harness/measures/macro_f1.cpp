// Mean F1 of the classes that occur as label or prediction.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::macro_f1 {
namespace {

double Value(const PredictionSums& sums) {
  double sum = 0, classes = 0;
  for (std::size_t c = 0; c < sums.classes(); ++c) {
    const double total = sums.labels(c) + sums.predictions(c);
    if (total == 0) continue;
    sum += 2 * sums.right(c) / total;
    ++classes;
  }
  return sum / classes;
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "macro-f1",
          .title = "mean F1 of the classes",
          .definition = "mean over the classes seen or predicted of 2 right / (labels + predictions)",
          .source = "",
          .needs = MeasureNeeds::kClasses,
          .larger = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::macro_f1
