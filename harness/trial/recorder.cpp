#include "harness/trial/recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace okbench {
namespace {

// Number of steps of a stream, or largest number of rounds of another trial.
std::uint64_t RoundsOf(const Trial& trial) {
  if (trial.info->protocol != Protocol::kMiniBatches) return trial.examples;
  if (trial.data->stream.order == Order::kUniform) return trial.examples / trial.batch;
  return trial.data->stream.epochs * ((trial.training + trial.batch - 1) / trial.batch);
}

void RequireFinite(bool finite, const char* what, std::uint64_t examples) {
  if (!finite)
    throw TrialFailure(
        "diverged", "diverged after " + std::to_string(examples) + " examples: " + what + " is not finite");
}

}  // namespace

Recorder::Recorder(const Trial& trial, std::vector<std::string> learner_columns, MeasureSet& measures,
                   const LateLabels& late, std::function<double()> seconds)
    : steps_(RoundsOf(trial), trial.trace->record_all_until, trial.trace->per_decade, trial.trace->from_end,
             trial.trace->every),
      rounds_(trial.rounds()),
      training_(trial.training),
      measures_(measures),
      delayed_(Late(trial.data->stream)),
      late_(late),
      clock_(std::move(seconds)),
      learner_columns_(std::move(learner_columns)),
      report_(learner_columns_.size()) {}

void Recorder::Step(std::uint64_t t, std::uint64_t example, const StepOutcome& outcome, const RealStep* real,
                    const Prediction* prediction, const Learner& learner) {
  measures_.OnStep(outcome, real, prediction);
  progress_ = {.processed = t, .counted = t};
  last_t_ = t;
  last_example_ = example;
  recorded_ = steps_.Contains(t);
  if (recorded_) AddRow(writer_, learner);
}

void Recorder::Round(std::uint64_t round, const RoundOutcome& outcome, bool last, const Learner& learner) {
  measures_.OnRound(outcome, training_);
  progress_.processed += outcome.examples;
  progress_.counted = outcome.whole_set ? training_ : progress_.counted + outcome.examples;
  counts_training_ = counts_training_ || outcome.whole_set;
  last_t_ = round;
  last_example_ = rounds_ ? progress_.processed : 0;
  recorded_ = outcome.whole_set || steps_.Contains(round) || last;
  if (recorded_) AddRow(writer_, learner);
}

void Recorder::AddRow(TableWriter& writer, const Learner& learner) const {
  const KernelCounts& counts = learner.counts();
  writer.Add("step", last_t_);
  writer.Add(rounds_ ? "examples" : "example", last_example_);
  measures_.Write(writer, ColumnGroup::kStepCounts);
  writer.Add("support_vectors", std::uint64_t{learner.support_vectors()});
  writer.Add("kernel_requested", counts.requested);
  writer.Add("kernel_computed", counts.computed, false);
  if (delayed_) {
    writer.Add("kernel_predicting", late_.predicting);
    writer.Add("waiting", late_.waiting);
  }
  measures_.Write(writer, ColumnGroup::kStepLosses);
  learner.Report(report_);
  for (std::size_t c = 0; c < report_.size(); ++c) writer.Add(learner_columns_[c], report_[c]);
  writer.Add("seconds", clock_(), false);
  measures_.Write(writer, ColumnGroup::kStepEnd);
  writer.EndRow();
}

void Recorder::Serialize(Archive& archive) {
  archive.Field("processed", progress_.processed);
  archive.Field("counted", progress_.counted);
  measures_.Serialize(archive);
}

Table Recorder::ToTable(const Learner& learner) const {
  if (recorded_) return writer_.ToTable();
  TableWriter writer = writer_;
  AddRow(writer, learner);
  return writer.ToTable();
}

Checkpoints::Checkpoints(const MeasureContext& context, MeasureSet& measures, const LateLabels& late)
    : steps_(context.trial.examples),
      count_(context.trial.trace->checkpoints),
      after_rounds_(context.trial.trace->rounds),
      rounds_(context.trial.rounds()),
      test_(context.test),
      training_(context.training),
      measures_(measures),
      late_(late) {}

bool Checkpoints::Due(std::uint64_t before, std::uint64_t after) const {
  return after * count_ / steps_ != before * count_ / steps_;
}

bool Checkpoints::DueAfter(std::uint64_t round) const {
  return std::find(after_rounds_.begin(), after_rounds_.end(), round) != after_rounds_.end();
}

void Checkpoints::Measure(std::uint64_t t, std::uint64_t examples, Learner& learner) {
  if (test_) {
    const TestOutcome outcome = learner.Test();
    RequireFinite(outcome.finite && std::isfinite(outcome.squared_error) &&
                      std::isfinite(outcome.mean_loss.value_or(0)) &&
                      std::isfinite(outcome.task_loss.value_or(0)) &&
                      std::isfinite(outcome.regularised_risk.value_or(0)),
                  "a score of the test part", examples);
    measures_.OnTest(outcome, t, examples);
    previous_error_ = std::exchange(error_, measures_.test_error());
  }
  if (training_) {
    const TrainingOutcome outcome = dynamic_cast<MeasuresTraining&>(learner).MeasureTraining();
    RequireFinite(std::isfinite(outcome.mean_loss) && std::isfinite(outcome.objective.value_or(0)),
                  "the training loss", examples);
    measures_.OnTraining(outcome);
  }
  const KernelCounts& counts = learner.counts();
  writer_.Add("step", t);
  if (test_) measures_.Write(writer_, ColumnGroup::kTestCounts);
  writer_.Add("kernel_evaluation", counts.evaluation - late_.predicting);
  if (test_) measures_.Write(writer_, ColumnGroup::kTest);
  if (training_) measures_.Write(writer_, ColumnGroup::kTraining);
  if (rounds_) {
    writer_.Add("examples", examples);
    writer_.Add("support_vectors", std::uint64_t{learner.support_vectors()});
    writer_.Add("kernel_requested", counts.requested);
    writer_.Add("kernel_computed", counts.computed, false);
  }
  writer_.EndRow();
}

bool Checkpoints::ErrorConverged(double tolerance) const {
  return error_ && previous_error_ && std::abs(*error_ - *previous_error_) <= tolerance;
}

}  // namespace okbench
