// Mean negative log-likelihood of the labels.

#include "harness/measures/prediction_measure.h"

namespace okbench::prediction_measures::log_loss {
namespace {

double Value(const PredictionSums& sums) { return sums.moments().log_loss / sums.size(); }

}  // namespace

PredictionMeasureInfo Describe() {
  return {.name = "log-loss",
          .title = "mean negative log-likelihood, in nats",
          .definition = "-mean log P(label); P from the scores of a logistic loss",
          .source = "",
          .needs = MeasureNeeds::kProbabilities,
          .value = Value};
}

}  // namespace okbench::prediction_measures::log_loss
