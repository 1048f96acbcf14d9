// Measures of predictions that the spec chooses ([measures]): columns of the trace named as the spec names
// them, "kappa" or "kappa@1000", and columns "test_kappa" of the checkpoints.

#include <cmath>
#include <optional>

#include "harness/measures/prediction_measure.h"
#include "harness/recording/measure.h"

namespace okbench::measures::predictions {
namespace {

class Predictions final : public Measure {
 public:
  explicit Predictions(const MeasureContext& context) : context_(context) {
    // The measure `error` of every trial writes the column test_error.
    for (const MeasureRequest& request : context.trial.measures)
      if (!FindPredictionMeasure(request.measure).sequential && request.window == 0 &&
          request.measure != "error")
        test_.push_back(request);
  }

  void OnStep(const StepOutcome& /*outcome*/, const RealStep* /*real*/,
              const Prediction* prediction) override {
    if (!stream_) stream_.emplace(context_.shape(), context_.trial.measures);
    stream_->Add(*prediction);
  }
  void OnTest(const TestOutcome& outcome, std::uint64_t /*t*/, std::uint64_t /*examples*/) override {
    last_test_.clear();
    if (outcome.scores.empty()) return;
    std::optional<PredictionMeter> meter;
    for (std::size_t i = 0; i < outcome.examples; ++i) {
      const Prediction prediction = context_.test_prediction(outcome, i);
      if (!meter) meter.emplace(context_.shape(), test_);
      meter->Add(prediction);
    }
    meter->ForEach([this](const MeasureRequest& request, double value) {
      last_test_.emplace_back("test_" + request.Name(), value);
    });
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group == ColumnGroup::kStepEnd && stream_)
      stream_->ForEach([&](const MeasureRequest& request, double value) { row.Add(request.Name(), value); });
    if (group == ColumnGroup::kTest)
      for (const auto& [name, value] : last_test_) row.Add(name, value);
  }
  void Summarize(nlohmann::json& summary, const Progress& /*progress*/,
                 const Learner& /*learner*/) const override {
    const auto put = [&](const std::string& name, double value) {
      summary["measures"][name] = OrNull(std::isfinite(value), value);
    };
    if (stream_)
      stream_->ForEach([&](const MeasureRequest& request, double value) { put(request.Name(), value); });
    for (const auto& [name, value] : last_test_) put(name, value);
  }

 private:
  MeasureContext context_;
  std::optional<PredictionMeter> stream_;
  std::vector<MeasureRequest> test_;
  std::vector<std::pair<std::string, double>> last_test_;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "predictions",
          .title = "measures of predictions, named by [measures]",
          .fields = {{"trace", "NAME", "a measure of [measures], before the step's update"},
                     {"checkpoints", "test_NAME", "the same measure on the test set"},
                     {"summary", "measures", "{NAME: last value}, {test_NAME: last value}"}},
          .order = 7,
          .applies = [](const MeasureContext& context) { return !context.trial.measures.empty(); },
          .make = [](const MeasureContext& context) { return std::make_unique<Predictions>(context); }};
}

}  // namespace okbench::measures::predictions
