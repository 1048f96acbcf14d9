// Number of margin errors: examples with a violated margin, or a target outside the tube.

#include "harness/recording/measure.h"

namespace okbench::measures::margin_errors {
namespace {

class MarginErrors final : public Measure {
 public:
  void OnStep(const StepOutcome& outcome, const RealStep* /*real*/,
              const Prediction* /*prediction*/) override {
    count_ += outcome.margin_error ? 1 : 0;
  }
  void OnRound(const RoundOutcome& outcome, std::uint64_t /*training*/) override {
    count_ = (outcome.whole_set ? 0 : count_) + outcome.margin_errors;
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group == ColumnGroup::kStepCounts) row.Add("margin_errors", count_);
  }
  void Summarize(nlohmann::json& summary, const Progress& /*progress*/,
                 const Learner& /*learner*/) const override {
    summary["margin_errors"] = count_;
  }
  void Serialize(Archive& archive) override { archive.Field("margin_errors", count_); }

 private:
  std::uint64_t count_ = 0;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "margin-errors",
          .title = "number of margin errors",
          .fields = {{"trace", "margin_errors", "margin errors over steps 1..t"},
                     {"summary", "margin_errors", "number of margin errors"}},
          .order = 2,
          .applies = [](const MeasureContext&) { return true; },
          .make = [](const MeasureContext&) { return std::make_unique<MarginErrors>(); }};
}

}  // namespace okbench::measures::margin_errors
