// The method's own loss: of each step or round, summed, and on the test set.

#include "harness/recording/measure.h"

namespace okbench::measures::loss {
namespace {

class Loss final : public Measure {
 public:
  void OnStep(const StepOutcome& outcome, const RealStep* /*real*/,
              const Prediction* /*prediction*/) override {
    loss_ = outcome.loss;
    sum_ += outcome.loss;
  }
  void OnRound(const RoundOutcome& outcome, std::uint64_t training) override {
    loss_ = outcome.mean_loss;
    if (outcome.whole_set)
      sum_ = outcome.mean_loss * static_cast<double>(training);
    else
      sum_ += outcome.mean_loss * static_cast<double>(outcome.examples);
  }
  void OnTest(const TestOutcome& outcome, std::uint64_t /*t*/, std::uint64_t /*examples*/) override {
    test_loss_ = outcome.mean_loss;
    test_risk_ = outcome.regularised_risk;
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group == ColumnGroup::kStepLosses) {
      row.Add("loss", loss_);
      row.Add("loss_sum", sum_);
    }
    if (group == ColumnGroup::kTest && test_loss_) row.Add("test_loss", *test_loss_);
    if (group == ColumnGroup::kTest && test_risk_) row.Add("test_risk", *test_risk_);
  }
  void Summarize(nlohmann::json& summary, const Progress& progress,
                 const Learner& /*learner*/) const override {
    summary["mean_loss"] = sum_ / static_cast<double>(progress.counted);
  }
  void Serialize(Archive& archive) override { archive.Field("loss_sum", sum_); }

 private:
  double loss_ = 0, sum_ = 0;
  std::optional<double> test_loss_, test_risk_;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "loss",
          .title = "the method's own loss",
          .fields = {{"trace", "loss", "loss of the example, before learning from it"},
                     {"trace", "loss_sum", "sum of losses over steps 1..t"},
                     {"checkpoints", "test_loss", "mean loss on the test part"},
                     {"checkpoints", "test_risk", "test_loss + c/2 ||f||^2"},
                     {"summary", "mean_loss", "loss_sum / examples"}},
          .order = 3,
          .applies = [](const MeasureContext&) { return true; },
          .make = [](const MeasureContext&) { return std::make_unique<Loss>(); }};
}

}  // namespace okbench::measures::loss
