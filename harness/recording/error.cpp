// Share of wrong predictions: on the stream so far (prequential error) and on the test set.

#include "harness/recording/measure.h"

namespace okbench::measures::error {
namespace {

class Error final : public Measure {
 public:
  explicit Error(const MeasureContext& context) : regression_(context.regression) {}

  void OnStep(const StepOutcome& outcome, const RealStep* /*real*/,
              const Prediction* /*prediction*/) override {
    mistakes_ += outcome.mistake ? 1 : 0;
  }
  void OnRound(const RoundOutcome& outcome, std::uint64_t /*training*/) override {
    mistakes_ = (outcome.whole_set ? 0 : mistakes_) + outcome.mistakes;
  }
  void OnTest(const TestOutcome& outcome, std::uint64_t /*t*/, std::uint64_t /*examples*/) override {
    if (regression_) return;
    test_mistakes_ = outcome.mistakes;
    test_error_ = static_cast<double>(outcome.mistakes) / static_cast<double>(outcome.examples);
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group == ColumnGroup::kStepCounts) row.Add("mistakes", mistakes_);
    if (group == ColumnGroup::kTestCounts && test_error_) row.Add("test_mistakes", test_mistakes_);
    if (group == ColumnGroup::kTest && test_error_) row.Add("test_error", *test_error_);
  }
  void Summarize(nlohmann::json& summary, const Progress& progress,
                 const Learner& /*learner*/) const override {
    summary["mistakes"] = mistakes_;
    summary["error_rate"] =
        OrNull(!regression_, static_cast<double>(mistakes_) / static_cast<double>(progress.counted));
    summary["test_error"] = OrNull(test_error_.has_value(), test_error_.value_or(0));
  }
  void Serialize(Archive& archive) override { archive.Field("mistakes", mistakes_); }
  std::optional<double> test_error() const override { return test_error_; }

 private:
  bool regression_;
  std::uint64_t mistakes_ = 0, test_mistakes_ = 0;
  std::optional<double> test_error_;
};

}  // namespace

MeasureInfo Describe() {
  return {
      .name = "error",
      .title = "share of wrong predictions",
      .fields = {{"trace", "mistakes", "wrong predictions over steps 1..t"},
                 {"checkpoints", "test_mistakes", "wrong predictions on the test part; f(x) = 0 predicts -1"},
                 {"checkpoints", "test_error", "test_mistakes / test examples"},
                 {"summary", "mistakes", "wrong predictions"},
                 {"summary", "error_rate", "mistakes / examples; null for real targets"},
                 {"summary", "test_error", "last test error, or null"}},
      .order = 0,
      .applies = [](const MeasureContext&) { return true; },
      .make = [](const MeasureContext& context) { return std::make_unique<Error>(context); }};
}

}  // namespace okbench::measures::error
