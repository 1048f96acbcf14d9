#pragma once
// Recorder and Checkpoints: the tables of a trace, filled while a trial runs. docs/trace-format.md describes
// them.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/trial/trace.h"

namespace okbench {

/// The table "trace": one row a recorded step of a stream, or a recorded round.
class Recorder {
 public:
  /// `seconds`: of learning so far.
  Recorder(const Trial& trial, const std::vector<std::string>& learner_columns,
           std::function<double()> seconds);

  /// Step t = 1, 2, ... of a stream.
  void Step(std::uint64_t t, std::uint64_t example, const StepOutcome& outcome, const Learner& learner);
  /// Round 1, 2, ...; the last one is always recorded, and so is every round whose counts are over the whole
  /// set.
  void Round(std::uint64_t round, const RoundOutcome& outcome, bool last, const Learner& learner);

  /// Gives the last step or round a row, unless it has one.
  void RecordLast(const Learner& learner);
  Table Finish();

  std::int64_t mistakes() const { return mistakes_; }
  std::int64_t margin_errors() const { return margin_errors_; }
  double loss_sum() const { return loss_sum_; }
  /// Sum of Delta(y, prediction) over the examples counted; none where the outputs have no distances.
  std::optional<double> task_loss_sum() const { return task_loss_sum_; }
  /// Whether the last step has a row in the table.
  bool recorded() const { return recorded_; }
  /// Examples processed so far.
  std::uint64_t processed() const { return processed_; }
  /// Whether they are the whole training set, in every row.
  bool counts_training() const { return counts_training_; }
  /// Examples that the counts above are about.
  std::uint64_t counted() const { return counted_; }

 private:
  void Record(std::uint64_t t, std::uint64_t example, double loss, const Learner& learner);

  RecordedSteps steps_;
  bool rounds_;
  std::uint64_t training_;
  std::array<std::vector<std::int64_t>, 7> whole_;
  std::function<double()> clock_;
  std::vector<double> loss_, loss_sums_, task_loss_sums_, seconds_;
  std::vector<std::vector<double>> learner_;
  std::vector<std::string> names_;
  std::vector<double> report_;
  std::int64_t mistakes_ = 0, margin_errors_ = 0;
  double loss_sum_ = 0;
  std::optional<double> task_loss_sum_;
  std::optional<bool> tells_task_loss_;
  struct {
    std::uint64_t t = 0, example = 0;
    double loss = 0;
  } last_;
  bool recorded_ = true, counts_training_ = false;
  std::uint64_t processed_ = 0, counted_ = 0;
};

/// The table "checkpoints": test error (of regression: root mean squared error) and training loss, evenly
/// spaced in the examples processed.
class Checkpoints {
 public:
  /// `test` and `training`: what is measured; `regression`: targets are real.
  Checkpoints(const Trial& trial, bool test, bool training, bool regression);

  /// Whether a checkpoint lies behind `before` examples and at or before `after`.
  bool Due(std::uint64_t before, std::uint64_t after) const;
  /// Whether one is asked for after this round.
  bool DueAfter(std::uint64_t round) const;
  /// Measures after `examples` examples, in step or round t.
  void Measure(std::uint64_t t, std::uint64_t examples, Learner& learner);

  /// Nothing is measured at all.
  bool empty() const { return !test_ && !training_; }
  double error() const { return error_; }
  /// Mean Delta(y, prediction) of the last test; none where the outputs have no distances.
  std::optional<double> task_loss() const { return task_loss_; }
  /// Whether the last two measurements on the test part differ by no more than this: it has converged.
  bool Settled(double tolerance) const;
  /// The last test.
  const TestOutcome& outcome() const { return outcome_; }
  Table Finish();
  /// Adds what there is of the tables "recall" (a row a checkpoint, number of boxes and overlap) and
  /// "localised"
  /// (a row a test image, of the last test).
  void FinishBoxes(std::vector<Table>& tables);

 private:
  void RecordRecall(std::uint64_t t, std::uint64_t examples, const TestOutcome& outcome);

  std::uint64_t steps_, count_;
  std::vector<std::uint64_t> asked_rounds_;
  bool rounds_, test_, training_, regression_;
  std::vector<std::int64_t> step_, examples_, mistakes_, evaluation_, vectors_, requested_, computed_,
      nonzero_;
  std::vector<double> errors_, losses_, objectives_, test_losses_, test_risks_, test_task_losses_,
      worst_shares_;
  double error_ = 0;
  std::optional<double> task_loss_;
  TestOutcome outcome_;
  std::map<std::uint64_t, std::vector<double>> areas_;  // by number of boxes
  std::vector<std::int64_t> recall_step_, recall_examples_, recall_boxes_;
  std::vector<double> recall_overlap_, recall_;
};

}  // namespace okbench
