#pragma once
// Recorder and Checkpoints fill the tables of a trace while a trial runs. docs/reference/traces.md describes
// the tables. Not thread-safe.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/recording/measure.h"
#include "harness/recording/table_writer.h"
#include "harness/trace/trace.h"

namespace okbench {

/// State of a stream whose labels arrive late.
struct LateLabels {
  std::uint64_t predicting =
      0;                      ///< kernel evaluations for predictions, which the learner counts as evaluation
  std::uint64_t waiting = 0;  ///< examples whose labels are not known yet
};

/// The table "trace": one row per recorded step of a stream, or per recorded round.
class Recorder {
 public:
  /// `seconds` returns the seconds of learning so far. `measures` and `late` must outlive the recorder.
  Recorder(const Trial& trial, std::vector<std::string> learner_columns, MeasureSet& measures,
           const LateLabels& late, std::function<double()> seconds);

  /// Counts step t = 1, 2, ... of a stream and records it if due. `real` is null unless targets are real,
  /// `prediction` if nothing needs it.
  void Step(std::uint64_t t, std::uint64_t example, const StepOutcome& outcome, const RealStep* real,
            const Prediction* prediction, const Learner& learner);
  /// Counts round 1, 2, ... and records it if due. Always records the last round, and every round whose
  /// counts cover the whole training set.
  void Round(std::uint64_t round, const RoundOutcome& outcome, bool last, const Learner& learner);

  /// The table so far. Its last row is the last step or round.
  Table ToTable(const Learner& learner) const;

  /// Serializes the number of steps so far, and the sums of the measures; not the rows of the table.
  void Serialize(Archive& archive);

  const Progress& progress() const { return progress_; }
  /// True when all counts cover the whole training set.
  bool counts_training() const { return counts_training_; }

 private:
  void AddRow(TableWriter& writer, const Learner& learner) const;

  RecordedSteps steps_;
  bool rounds_;
  std::uint64_t training_;
  MeasureSet& measures_;
  bool delayed_;
  const LateLabels& late_;
  std::function<double()> clock_;
  std::vector<std::string> learner_columns_;
  mutable std::vector<double> report_;  // of one step; not allocated again for each
  TableWriter writer_{"trace"};
  Progress progress_;
  std::uint64_t last_t_ = 0, last_example_ = 0;
  bool recorded_ = true;  // the last step has a row
  bool counts_training_ = false;
};

/// The table "checkpoints": tests and training losses, evenly spaced in the examples processed.
class Checkpoints {
 public:
  /// `context` says what is measured. `measures` must outlive the checkpoints.
  Checkpoints(const MeasureContext& context, MeasureSet& measures, const LateLabels& late);

  /// Whether a checkpoint is due after `before` examples and at or before `after`.
  bool Due(std::uint64_t before, std::uint64_t after) const;
  /// Whether the spec requests a checkpoint after this round.
  bool DueAfter(std::uint64_t round) const;
  /// Measures after `examples` examples, in step or round t. Throws TrialFailure when a value is not finite.
  void Measure(std::uint64_t t, std::uint64_t examples, Learner& learner);

  /// True when nothing is measured.
  bool empty() const { return !test_ && !training_; }
  /// Whether the last two test errors differ by at most `tolerance`.
  bool ErrorConverged(double tolerance) const;
  Table ToTable() const { return writer_.ToTable(); }

 private:
  std::uint64_t steps_, count_;
  std::vector<std::uint64_t> after_rounds_;
  bool rounds_, test_, training_;
  MeasureSet& measures_;
  const LateLabels& late_;
  TableWriter writer_{"checkpoints"};
  std::optional<double> error_, previous_error_;
};

}  // namespace okbench
