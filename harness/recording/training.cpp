// Loss of the model on its training set, at checkpoints.

#include "harness/recording/measure.h"

namespace okbench::measures::training {
namespace {

class Training final : public Measure {
 public:
  void OnTraining(const TrainingOutcome& outcome) override { last_ = outcome; }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group != ColumnGroup::kTraining) return;
    row.Add("training_loss", last_.mean_loss);
    row.Add("training_nonzero", last_.nonzero_loss);
    if (last_.objective) row.Add("objective", *last_.objective);
    if (last_.worst_share) row.Add("training_worst_share", *last_.worst_share);
  }

 private:
  TrainingOutcome last_;
};

}  // namespace

MeasureInfo Describe() {
  return {.name = "training-loss",
          .title = "loss on the training set",
          .fields = {{"checkpoints", "training_loss", "mean hinge loss on the training set"},
                     {"checkpoints", "training_nonzero", "training examples with a loss above 0"},
                     {"checkpoints", "objective", "objective of linear learners"},
                     {"checkpoints", "training_worst_share",
                      "share of the loss due to the worst hundredth of the examples"}},
          .order = 6,
          .applies = [](const MeasureContext& context) { return context.training; },
          .make = [](const MeasureContext&) { return std::make_unique<Training>(); }};
}

}  // namespace okbench::measures::training
