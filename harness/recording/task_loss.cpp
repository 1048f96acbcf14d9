// Task loss Delta(y, prediction), for outputs with distances: label trees and structured outputs.

#include "base/error.h"
#include "harness/recording/measure.h"

namespace okbench::measures::task_loss {
namespace {

class TaskLoss final : public Measure {
 public:
  void OnStep(const StepOutcome& outcome, const RealStep* /*real*/,
              const Prediction* /*prediction*/) override {
    Require(outcome.task_loss.has_value());
    if (outcome.task_loss) sum_ = sum_.value_or(0) + *outcome.task_loss;
  }
  void OnRound(const RoundOutcome& outcome, std::uint64_t training) override {
    if (outcome.whole_set || outcome.examples > 0) Require(outcome.task_loss.has_value());
    if (!outcome.task_loss) return;
    if (outcome.whole_set)
      sum_ = *outcome.task_loss * static_cast<double>(training);
    else
      sum_ = sum_.value_or(0) + *outcome.task_loss * static_cast<double>(outcome.examples);
  }
  void OnTest(const TestOutcome& outcome, std::uint64_t /*t*/, std::uint64_t /*examples*/) override {
    test_ = outcome.task_loss;
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group == ColumnGroup::kStepLosses && sum_) row.Add("task_loss_sum", *sum_);
    if (group == ColumnGroup::kTest && test_) row.Add("test_task_loss", *test_);
  }
  void Summarize(nlohmann::json& summary, const Progress& progress,
                 const Learner& /*learner*/) const override {
    if (!sum_) return;
    summary["task_loss"] = *sum_ / static_cast<double>(progress.counted);
    summary["test_task_loss"] = OrNull(test_.has_value(), test_.value_or(0));
  }

 private:
  // A mean over some of the examples would look like one over all.
  void Require(bool present) {
    if (always_.value_or(present) != present)
      throw TrialFailure("internal", "the learner reports the task loss of some examples only");
    always_ = present;
  }

  std::optional<bool> always_;
  std::optional<double> sum_, test_;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "task-loss",
          .title = "mean distance between label and prediction",
          .fields = {{"trace", "task_loss_sum", "sum of Delta(y, prediction) over steps 1..t"},
                     {"checkpoints", "test_task_loss", "mean Delta(y, prediction) on the test part"},
                     {"summary", "task_loss", "task_loss_sum / examples"},
                     {"summary", "test_task_loss", "last test_task_loss, or null"}},
          .order = 4,
          .applies = [](const MeasureContext&) { return true; },
          .make = [](const MeasureContext&) { return std::make_unique<TaskLoss>(); }};
}

}  // namespace okbench::measures::task_loss
