// Share of the examples that a novelty detector flags.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::share_flagged {
namespace {

double Value(const PredictionSums& sums) { return sums.flagged() / sums.size(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "share-flagged",
          .title = "share of flagged examples",
          .definition = "flagged / n",
          .source = "",
          .needs = MeasureNeeds::kNovelty,
          .percent = true,
          .value = Value};
}

}  // namespace okbench::prediction_measures::share_flagged
