// Kappa against the last label.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::kappa_temporal {
namespace {

double Value(const PredictionSums& sums) { return KappaAgainst(sums, sums.last_label_right()); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {
      .name = "kappa-temporal",
      .title = "kappa against the last label",
      .definition = "(p_0 - p_e) / (1 - p_e), 0 if p_e = 1; p_e = accuracy of predicting the label before",
      .source = "Zliobaite, Bifet, Read, Pfahringer and Holmes, Machine Learning 98, 2015",
      .needs = MeasureNeeds::kClasses,
      .larger = true,
      .sequential = true,
      .value = Value};
}

}  // namespace okbench::prediction_measures::kappa_temporal
