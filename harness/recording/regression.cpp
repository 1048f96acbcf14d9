// Root mean squared error of real predictions, on the stream so far and on the test set. Errors are measured
// against targets without noise where those are known.

#include <cmath>

#include "harness/recording/measure.h"

namespace okbench::measures::regression {
namespace {

class Regression final : public Measure {
 public:
  explicit Regression(const MeasureContext& context) : tunes_(context.trial.prefix), test_(context.test) {}

  void OnStep(const StepOutcome& outcome, const RealStep* real, const Prediction* /*prediction*/) override {
    ++steps_;
    prediction_ = outcome.prediction;
    real_ = *real;
    squares_ += (prediction_ - real_.truth) * (prediction_ - real_.truth);
    seen_squares_ += (prediction_ - real_.target) * (prediction_ - real_.target);
  }
  void OnTest(const TestOutcome& outcome, std::uint64_t /*t*/, std::uint64_t /*examples*/) override {
    test_rmse_ = std::sqrt(outcome.squared_error / static_cast<double>(outcome.examples));
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group == ColumnGroup::kTest && test_rmse_) row.Add("test_rmse", *test_rmse_);
    if (group != ColumnGroup::kStepEnd) return;
    row.Add("prediction", prediction_);
    row.Add("target", real_.target);
    row.Add("truth", real_.truth);
    row.Add("squared_error_sum", squares_);
    if (real_.input) row.Add("input", *real_.input);
  }
  void Summarize(nlohmann::json& summary, const Progress& /*progress*/,
                 const Learner& /*learner*/) const override {
    summary["rmse"] = std::sqrt(squares_ / static_cast<double>(steps_));
    // The criterion of tuning: squared errors against what the learner sees.
    if (tunes_) summary["squared_error_seen"] = seen_squares_;
    summary["test_rmse"] = OrNull(test_, test_rmse_.value_or(0));
  }
  void Serialize(Archive& archive) override {
    archive.Field("regression_steps", steps_);
    archive.Field("squares", squares_);
    archive.Field("seen_squares", seen_squares_);
  }
  std::optional<double> test_error() const override { return test_rmse_; }

 private:
  bool tunes_, test_;
  std::uint64_t steps_ = 0;
  double prediction_ = 0, squares_ = 0, seen_squares_ = 0;
  RealStep real_;
  std::optional<double> test_rmse_;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "regression",
          .title = "root mean squared error",
          .fields = {{"trace", "prediction", "f_t(x_t), before learning from it"},
                     {"trace", "target", "target that the learner sees"},
                     {"trace", "truth", "target without noise, if it is known"},
                     {"trace", "squared_error_sum", "sum of (prediction - truth)^2 over steps 1..t"},
                     {"trace", "input", "the feature, for data with one feature"},
                     {"checkpoints", "test_rmse", "root mean squared error on the test part"},
                     {"summary", "rmse", "root mean squared error of the predictions"},
                     {"summary", "test_rmse", "last test_rmse, or null"}},
          .order = 1,
          .applies = [](const MeasureContext& context) { return context.regression; },
          .make = [](const MeasureContext& context) { return std::make_unique<Regression>(context); }};
}

}  // namespace okbench::measures::regression
