#include "harness/trial/recorder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "harness/system/error.h"

namespace okbench {
namespace {

// Selecting learners take single examples or a batch a round; solvers are recorded whole.
std::uint64_t RoundsOf(const Trial& trial) {
  if (trial.info->protocol != Protocol::kMiniBatches) return trial.examples;
  if (trial.data.stream.order == Order::kUniform) return trial.examples / trial.batch;
  return trial.data.stream.epochs * ((trial.training + trial.batch - 1) / trial.batch);
}

void RequireFinite(bool finite, const char* what, std::uint64_t examples) {
  if (!finite)
    throw TrialFailure("diverged", std::string(what) + " is not finite after " + std::to_string(examples) +
                                       " examples: the learner diverged");
}

// A mean over some of the examples would pass for one over all.
void RequireAlways(std::optional<bool>& told, bool tells) {
  if (told.value_or(tells) != tells)
    throw TrialFailure("internal", "the learner tells the loss of its predictions at some steps only");
  told = tells;
}

}  // namespace

Recorder::Recorder(const Trial& trial, const std::vector<std::string>& learner_columns,
                   std::function<double()> seconds)
    : steps_(RoundsOf(trial), trial.trace.dense, trial.trace.per_decade, trial.trace.from_end,
             trial.trace.every),
      rounds_(trial.rounds()),
      training_(trial.training),
      clock_(std::move(seconds)),
      learner_(learner_columns.size()),
      names_(learner_columns),
      report_(learner_columns.size()) {}

void Recorder::Step(std::uint64_t t, std::uint64_t example, const StepOutcome& outcome,
                    const Learner& learner) {
  mistakes_ += outcome.mistake ? 1 : 0;
  margin_errors_ += outcome.margin_error ? 1 : 0;
  loss_sum_ += outcome.loss;
  RequireAlways(tells_task_loss_, outcome.task_loss.has_value());
  if (outcome.task_loss) task_loss_sum_ = task_loss_sum_.value_or(0) + *outcome.task_loss;
  counted_ = processed_ = t;
  last_ = {t, example, outcome.loss};
  recorded_ = steps_.Contains(t);
  if (recorded_) Record(t, example, outcome.loss, learner);
}

void Recorder::RecordLast(const Learner& learner) {
  if (!recorded_) Record(last_.t, last_.example, last_.loss, learner);
  recorded_ = true;
}

void Recorder::Round(std::uint64_t round, const RoundOutcome& outcome, bool last, const Learner& learner) {
  const auto mistakes = static_cast<std::int64_t>(outcome.mistakes);
  const auto margin_errors = static_cast<std::int64_t>(outcome.margin_errors);
  processed_ += outcome.examples;
  if (outcome.whole_set || outcome.examples > 0)
    RequireAlways(tells_task_loss_, outcome.task_loss.has_value());
  if (outcome.whole_set) {
    counts_training_ = true;
    mistakes_ = mistakes;
    margin_errors_ = margin_errors;
    counted_ = training_;
    loss_sum_ = outcome.mean_loss * static_cast<double>(training_);
    if (outcome.task_loss) task_loss_sum_ = *outcome.task_loss * static_cast<double>(training_);
  } else {
    mistakes_ += mistakes;
    margin_errors_ += margin_errors;
    counted_ += outcome.examples;
    loss_sum_ += outcome.mean_loss * static_cast<double>(outcome.examples);
    if (outcome.task_loss)
      task_loss_sum_ =
          task_loss_sum_.value_or(0) + *outcome.task_loss * static_cast<double>(outcome.examples);
  }
  last_ = {round, rounds_ ? processed_ : 0, outcome.mean_loss};
  recorded_ = outcome.whole_set || steps_.Contains(round) || last;
  if (recorded_) Record(last_.t, last_.example, last_.loss, learner);
}

void Recorder::Record(std::uint64_t t, std::uint64_t example, double loss, const Learner& learner) {
  const KernelCounts& counts = learner.counts();
  const auto put = [this](std::size_t column, std::uint64_t value) {
    whole_[column].push_back(static_cast<std::int64_t>(value));
  };
  put(0, t);
  put(1, example);
  whole_[2].push_back(mistakes_);
  whole_[3].push_back(margin_errors_);
  put(4, learner.support_vectors());
  put(5, counts.requested);
  put(6, counts.computed);
  loss_.push_back(loss);
  loss_sums_.push_back(loss_sum_);
  seconds_.push_back(clock_());
  if (task_loss_sum_) task_loss_sums_.push_back(*task_loss_sum_);
  learner.Report(report_);
  for (std::size_t c = 0; c < learner_.size(); ++c) learner_[c].push_back(report_[c]);
}

Table Recorder::Finish() {
  const char* const names[] = {"step",
                               rounds_ ? "examples" : "example",
                               "mistakes",
                               "margin_errors",
                               "support_vectors",
                               "kernel_requested",
                               "kernel_computed"};
  Table table{.name = "trace", .columns = {}};
  for (std::size_t c = 0; c < whole_.size(); ++c)
    table.columns.push_back({names[c], c != 6, std::move(whole_[c])});
  table.columns.push_back({"loss", true, std::move(loss_)});
  table.columns.push_back({"loss_sum", true, std::move(loss_sums_)});
  if (task_loss_sum_) table.columns.push_back({"task_loss_sum", true, std::move(task_loss_sums_)});
  for (std::size_t c = 0; c < learner_.size(); ++c)
    table.columns.push_back({names_[c], true, std::move(learner_[c])});
  table.columns.push_back({"seconds", false, std::move(seconds_)});
  return table;
}

Checkpoints::Checkpoints(const Trial& trial, bool test, bool training, bool regression)
    : steps_(trial.examples),
      count_(trial.trace.checkpoints),
      asked_rounds_(trial.trace.rounds),
      rounds_(trial.rounds()),
      test_(test),
      training_(training),
      regression_(regression) {}

bool Checkpoints::Due(std::uint64_t before, std::uint64_t after) const {
  return after * count_ / steps_ != before * count_ / steps_;
}

bool Checkpoints::DueAfter(std::uint64_t round) const {
  return std::find(asked_rounds_.begin(), asked_rounds_.end(), round) != asked_rounds_.end();
}

void Checkpoints::RecordRecall(std::uint64_t t, std::uint64_t examples, const TestOutcome& outcome) {
  for (const RecallCurve& curve : outcome.recall) {
    areas_[curve.boxes].push_back(curve.area);
    for (std::size_t j = 0; j < curve.recall.size(); ++j) {
      recall_step_.push_back(static_cast<std::int64_t>(t));
      recall_examples_.push_back(static_cast<std::int64_t>(examples));
      recall_boxes_.push_back(static_cast<std::int64_t>(curve.boxes));
      recall_overlap_.push_back(static_cast<double>(j) / static_cast<double>(curve.recall.size() - 1));
      recall_.push_back(curve.recall[j]);
    }
  }
}

void Checkpoints::FinishBoxes(std::vector<Table>& tables) {
  if (!recall_.empty()) {
    Table table{.name = "recall", .columns = {}};
    table.columns.push_back({"step", true, std::move(recall_step_)});
    table.columns.push_back({"examples", true, std::move(recall_examples_)});
    table.columns.push_back({"boxes", true, std::move(recall_boxes_)});
    table.columns.push_back({"overlap", true, std::move(recall_overlap_)});
    table.columns.push_back({"recall", true, std::move(recall_)});
    tables.push_back(std::move(table));
  }
  if (outcome_.localised.empty()) return;
  Table table{.name = "localised", .columns = {}};
  const auto put = [&](const char* name, int Box::*side, Box LocalisedBox::*which) {
    std::vector<std::int64_t> column;
    for (const LocalisedBox& one : outcome_.localised) column.push_back(one.*which.*side);
    table.columns.push_back({name, true, std::move(column)});
  };
  std::vector<std::int64_t> numbers;
  for (const LocalisedBox& one : outcome_.localised) numbers.push_back(static_cast<std::int64_t>(one.number));
  table.columns.push_back({"image", true, std::move(numbers)});
  put("left", &Box::left, &LocalisedBox::found);
  put("top", &Box::top, &LocalisedBox::found);
  put("right", &Box::right, &LocalisedBox::found);
  put("bottom", &Box::bottom, &LocalisedBox::found);
  put("true_left", &Box::left, &LocalisedBox::truth);
  put("true_top", &Box::top, &LocalisedBox::truth);
  put("true_right", &Box::right, &LocalisedBox::truth);
  put("true_bottom", &Box::bottom, &LocalisedBox::truth);
  std::vector<double> overlaps;
  for (const LocalisedBox& one : outcome_.localised) overlaps.push_back(Overlap(one.found, one.truth));
  table.columns.push_back({"overlap", true, std::move(overlaps)});
  tables.push_back(std::move(table));
}

void Checkpoints::Measure(std::uint64_t t, std::uint64_t examples, Learner& learner) {
  const auto put = [](std::vector<std::int64_t>& column, std::uint64_t value) {
    column.push_back(static_cast<std::int64_t>(value));
  };
  if (test_) {
    const TestOutcome outcome = learner.Test();
    const auto n = static_cast<double>(outcome.examples);
    RequireFinite(outcome.finite && std::isfinite(outcome.squared_error) &&
                      std::isfinite(outcome.mean_loss.value_or(0)) &&
                      std::isfinite(outcome.task_loss.value_or(0)) &&
                      std::isfinite(outcome.regularised_risk.value_or(0)),
                  "a score of the test part", examples);
    put(mistakes_, outcome.mistakes);
    error_ = regression_ ? std::sqrt(outcome.squared_error / n) : static_cast<double>(outcome.mistakes) / n;
    errors_.push_back(error_);
    if (outcome.mean_loss) test_losses_.push_back(*outcome.mean_loss);
    if (outcome.regularised_risk) test_risks_.push_back(*outcome.regularised_risk);
    if (outcome.task_loss) test_task_losses_.push_back(*outcome.task_loss);
    task_loss_ = outcome.task_loss;
    RecordRecall(t, examples, outcome);
    outcome_ = outcome;
  }
  if (training_) {
    const TrainingOutcome outcome = dynamic_cast<MeasuresTraining&>(learner).MeasureTraining();
    RequireFinite(std::isfinite(outcome.mean_loss) && std::isfinite(outcome.objective.value_or(0)),
                  "the training loss", examples);
    losses_.push_back(outcome.mean_loss);
    if (outcome.objective) objectives_.push_back(*outcome.objective);
    if (outcome.worst_share) worst_shares_.push_back(*outcome.worst_share);
    put(nonzero_, outcome.nonzero_loss);
  }
  put(step_, t);
  put(examples_, examples);
  put(evaluation_, learner.counts().evaluation);
  put(vectors_, learner.support_vectors());
  put(requested_, learner.counts().requested);
  put(computed_, learner.counts().computed);
}

bool Checkpoints::Settled(double tolerance) const {
  return errors_.size() >= 2 && std::abs(errors_.back() - errors_[errors_.size() - 2]) <= tolerance;
}

Table Checkpoints::Finish() {
  for (const auto* optional : {&test_losses_, &test_risks_, &test_task_losses_, &objectives_, &worst_shares_})
    if (!optional->empty() && optional->size() != step_.size())
      throw TrialFailure("internal", "the learner measures something at some checkpoints only");
  Table table{.name = "checkpoints", .columns = {}};
  const auto put = [&table](const char* name, auto& values, bool deterministic = true) {
    table.columns.push_back({name, deterministic, std::move(values)});
  };
  put("step", step_);
  if (test_ && !regression_) put("test_mistakes", mistakes_);
  put("kernel_evaluation", evaluation_);
  if (test_) put(regression_ ? "test_rmse" : "test_error", errors_);
  if (!test_losses_.empty()) put("test_loss", test_losses_);
  if (!test_risks_.empty()) put("test_risk", test_risks_);
  if (!test_task_losses_.empty()) put("test_task_loss", test_task_losses_);
  for (auto& [boxes, areas] : areas_) put(("area_" + std::to_string(boxes)).c_str(), areas);
  if (training_) {
    put("training_loss", losses_);
    put("training_nonzero", nonzero_);
  }
  if (!objectives_.empty()) put("objective", objectives_);
  if (!worst_shares_.empty()) put("training_worst_share", worst_shares_);
  if (rounds_) {
    put("examples", examples_);
    put("support_vectors", vectors_);
    put("kernel_requested", requested_);
    put("kernel_computed", computed_, false);
  }
  return table;
}

}  // namespace okbench
