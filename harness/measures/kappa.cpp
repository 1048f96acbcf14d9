// Cohen's kappa.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::kappa {
namespace {

double Value(const PredictionSums& sums) {
  double chance = 0;
  for (std::size_t c = 0; c < sums.classes(); ++c) chance += sums.labels(c) * sums.predictions(c);
  return KappaAgainst(sums, chance / sums.size());
}

}  // namespace

PredictionMeasureInfo Describe() {
  return {
      .name = "kappa",
      .title = "Cohen's kappa",
      .definition =
          "(p_0 - p_e) / (1 - p_e), 0 if p_e = 1; p_0 the accuracy, p_e = sum_c (share of label c) (share of "
          "prediction c)",
      .source =
          "Cohen 1960; for streams: Zliobaite, Bifet, Read, Pfahringer and Holmes, Machine Learning 98, 2015",
      .needs = MeasureNeeds::kClasses,
      .larger = true,
      .value = Value};
}

}  // namespace okbench::prediction_measures::kappa
