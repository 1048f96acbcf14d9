// Area under the ROC curve.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::auc {
namespace {

double Value(const PredictionSums& sums) { return sums.Auc(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "auc",
          .title = "area under the ROC curve",
          .definition =
              "share of (positive, negative) pairs whose scores are in order, ties one half; several "
              "classes: mean over ordered pairs of classes",
          .source = "Brzezinski and Stefanowski 2017; several classes: Hand and Till 2001",
          .needs = MeasureNeeds::kRanks,
          .larger = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::auc
