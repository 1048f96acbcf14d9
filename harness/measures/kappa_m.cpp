// Kappa against the majority class so far.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::kappa_m {
namespace {

double Value(const PredictionSums& sums) { return KappaAgainst(sums, sums.majority_right()); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "kappa-m",
          .title = "kappa against the majority class",
          .definition =
              "(p_0 - p_e) / (1 - p_e), 0 if p_e = 1; p_e = accuracy of predicting the most frequent label "
              "so far",
          .source = "Zliobaite, Bifet, Read, Pfahringer and Holmes, Machine Learning 98, 2015",
          .needs = MeasureNeeds::kClasses,
          .larger = true,
          .sequential = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::kappa_m
