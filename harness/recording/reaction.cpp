// Reaction to changes of the data at known steps: the error before a change, its peak after the change, and
// the number of examples until it is back.

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/measures/moments.h"
#include "harness/recording/measure.h"

namespace okbench::measures::reaction {
namespace {

// The error at a step is the mean loss of the last `window` examples since the last change. The loss is 1 for
// a mistake, and the squared error for regression. After a change, peak_error and examples use the error only
// from half a window on, because the mean of fewer examples varies too much.
class Reaction final : public Measure {
 public:
  explicit Reaction(const MeasureContext& context)
      : window_(context.trial.reaction), changes_(context.trial.changes), errors_(window_) {}

  void OnStep(const StepOutcome& outcome, const RealStep* real, const Prediction* /*prediction*/) override {
    ++t_;
    if (reactions_.size() < changes_.size() && t_ == changes_[reactions_.size()]) {
      reactions_.push_back({.step = t_, .before = Error()});
      errors_ = SlidingMoments(window_);
    }
    const double distance = real == nullptr ? 0 : outcome.prediction - real->truth;
    const double loss = real == nullptr ? (outcome.mistake ? 1 : 0) : distance * distance;
    errors_.Add({.count = 1, .squared = loss});
    if (reactions_.empty()) return;
    Change& last = reactions_.back();
    const std::uint64_t since = t_ - last.step + 1;
    if (2 * since < window_) return;
    const double error = Error();
    const bool back = error <= 1.1 * last.before;
    if (!last.peak || error > *last.peak) {
      last.peak = error;
      if (!back) last.examples.reset();
    }
    if (!last.examples && back) last.examples = since;
  }
  void AddTables(std::vector<Table>& tables) const override {
    if (reactions_.empty()) return;
    TableWriter table("changes");
    for (const Change& change : reactions_) {
      table.Add("step", change.step);
      table.Add("error_before", change.before);
      table.Add("peak_error", change.peak.value_or(change.before));
      table.Add("examples", change.examples ? static_cast<std::int64_t>(*change.examples) : std::int64_t{-1});
      table.EndRow();
    }
    tables.push_back(table.ToTable());
  }
  void Summarize(nlohmann::json& summary, const Progress& /*progress*/,
                 const Learner& /*learner*/) const override {
    if (reactions_.empty()) return;
    double peaks = 0, examples = 0;
    bool all = true;
    for (const Change& change : reactions_) {
      peaks += change.peak.value_or(change.before);
      examples += static_cast<double>(change.examples.value_or(0));
      all = all && change.examples;
    }
    const auto count = static_cast<double>(reactions_.size());
    summary["measures"]["peak-after-change"] = peaks / count;
    summary["measures"]["examples-after-change"] = OrNull(all, examples / count);
  }

 private:
  struct Change {
    std::uint64_t step = 0;
    double before = 0;
    std::optional<double> peak{};
    std::optional<std::uint64_t> examples{};
  };

  double Error() const {
    const Moments sums = errors_.value();
    return sums.count > 0 ? sums.squared / sums.count : 0;
  }

  std::uint64_t window_;
  std::vector<std::uint64_t> changes_;
  SlidingMoments errors_;
  std::vector<Change> reactions_;
  std::uint64_t t_ = 0;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "reaction",
          .title = "reaction to changes of the data at known steps",
          .fields = {{"changes", "step", "step of the first example after the change"},
                     {"changes", "error_before", "error over the window before the change"},
                     {"changes", "peak_error", "largest error after it, before the next change"},
                     {"changes", "examples",
                      "examples until the error is at most 1.1 times error_before after the peak; -1: never"},
                     {"summary", "measures/peak-after-change", "mean peak_error"},
                     {"summary", "measures/examples-after-change", "mean examples; null if one is -1"}},
          .order = 8,
          .applies = [](const MeasureContext& context) { return context.trial.reaction > 0; },
          .make = [](const MeasureContext& context) { return std::make_unique<Reaction>(context); }};
}

}  // namespace okbench::measures::reaction
