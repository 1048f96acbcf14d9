#pragma once
// Learning: presents the examples of a trial to its learner and records the trace.
// The training data is in memory, or arrives in chunks.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "datasets/rows/stream.h"
#include "harness/plan/plan.h"
#include "harness/recording/measure.h"
#include "harness/system/allocation_counter.h"
#include "harness/trace/trace.h"
#include "harness/trial/kernel_share.h"
#include "harness/trial/learning_clock.h"
#include "harness/trial/outlier_recorder.h"
#include "harness/trial/prediction_maker.h"
#include "harness/trial/prediction_recorder.h"
#include "harness/trial/recorder.h"
#include "harness/trial/stop_token.h"
#include "learners/api/model.h"
#include "learners/api/reports_overhead.h"

namespace okbench {

/// Trial::examples of a stream of unlimited length.
inline constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

/// One learner and the trace of its trial. Not thread-safe.
template <class T>
class TrialRunner {
 public:
  /// `train`, `test` and `share` must outlive this object; `test` and `share` may be null.
  /// `streaming`: `train` holds the first rows of a stream that arrives in chunks. REQUIRES: the learner is
  /// Resumable. `share` is paused while a checkpoint is measured. Throws InvalidArgument.
  TrialRunner(const Trial& trial, const Examples<T>& train, const Examples<T>* test, const StopToken& stop,
              std::size_t lookahead, bool streaming = false, KernelShare* share = nullptr);

  /// Sets the delay of each row's label. Call before Run(), for trials that read delays from the data.
  void SetDelays(std::vector<std::uint64_t> delays) { delays_ = std::move(delays); }
  /// Calls `call` with the row and the outcome of every step of a stream learner.
  void OnStep(std::function<void(std::uint32_t, const StepOutcome&)> call) { on_step_ = std::move(call); }
  /// Runs the whole trial. After an exception, the learner is unusable. Throws Interrupted, TrialFailure,
  /// InvalidArgument, DataError, std::bad_alloc.
  void Run();

  /// Learns from rows `first` .. of the training set, the next rows of the stream, in order.
  /// REQUIRES: the caller has put them into `train`. The last mini-batch may be smaller. Throws as Run does.
  void RunChunk(std::size_t first);

  /// GivesModel::ScoreRow() of the learner. Changes neither the learner nor the trace.
  bool ScoreRow(std::uint32_t row, std::span<double> out);

  /// Serializes a resumable learner, the number of its steps and the sums of its measures. Another runner
  /// continues the stream with them. Rows of the trace are not part of it.
  void Serialize(Archive& archive);

  /// False if a method with a stopping tolerance (LearnerInfo::tolerance) reached a limit first.
  bool converged() const { return converged_ || !trial_.info->tolerance; }

  /// Tables and summary so far. The last step has a row.
  Trace Result() const;

  Learner& learner() { return *learner_; }
  /// The learner. REQUIRES: it is Resumable.
  Resumable& resumable() { return *resumable_; }
  const Learner& learner() const { return *learner_; }
  /// Streams: whether the trial has ended early, at StopToken::most_wrong.
  bool ended() const { return wrong_ >= most_wrong_; }
  /// Steps or rounds so far.
  std::uint64_t steps() const { return t_; }
  /// Seconds of learning so far.
  double seconds() const { return clock_.Seconds(); }
  /// Processor seconds of learning so far.
  double cpu_seconds() const { return clock_.CpuSeconds(); }
  /// Largest heap memory of the learner so far, in bytes, with the rows that wait for their labels.
  std::int64_t peak_bytes() const {
    return memory_.peak_bytes() + static_cast<std::int64_t>(most_waiting_ * trial_.workload.row_bytes);
  }
  /// Seconds spent in checkpoints so far.
  double test_seconds() const { return test_seconds_; }
  /// True when mistakes are counted over the whole training set (kCountedTraining).
  bool counts_training() const { return recorder_.counts_training(); }
  /// Lets the caller pause the clock between two chunks.
  LearningClock& clock() { return clock_; }

 private:
  std::unique_ptr<Learner> MakeLearner(const Examples<T>* test, std::size_t lookahead, bool streaming);
  // The learner as the interface that the registry declares for it. Throws std::bad_cast.
  template <class Kind>
  Kind& As() const {
    return dynamic_cast<Kind&>(*learner_);
  }
  std::vector<std::uint32_t> Stream() const;
  void RunStream(StreamLearner& learner);
  void RunSolver(SolverLearner& learner);
  void RunRounds(RoundLearner& learner);
  void Step(StreamLearner& learner, std::uint32_t example, std::uint64_t number);
  // Records step t_ with its outcome, and measures a due checkpoint.
  void RecordStep(std::uint32_t example, std::uint64_t number, const StepOutcome& outcome);
  // The stream with labels that arrive late.
  void RunDelayed(StreamLearner& learner, std::span<const std::uint32_t> stream);
  RoundOutcome Round(RoundLearner& learner, std::span<const std::uint32_t> batch);
  void UpdateOverhead() {
    if (overhead_ != nullptr) clock_.SetOverhead(overhead_->overhead_seconds());
  }
  void RequireExamples(const RoundOutcome& outcome, std::size_t drawn) const;
  // Throws TrialFailure if the learner reports no scores.
  Prediction PredictionOf(std::uint32_t example, const StepOutcome& outcome);
  RealStep RealStepOf(std::uint32_t example) const;
  // Throws TrialFailure for a prediction of regression that has diverged.
  void RequireBounded(double prediction, double target, std::uint64_t t);
  void Measure(std::uint64_t t, std::uint64_t examples);

  Trial trial_;
  const Examples<T>& train_;
  const Examples<T>* test_;
  LearningClock clock_;
  KernelShare* share_;
  AllocationCounter memory_;
  std::unique_ptr<Learner> learner_;
  const ReportsOverhead* overhead_;  // learner_, null if it reports none
  Resumable* resumable_;             // learner_, null if it is not; a cast for each row would take long
  GivesModel* gives_model_;
  PredictionMaker maker_;
  MeasureContext context_;
  MeasureSet measures_;
  LateLabels late_;
  std::function<void(std::uint32_t, const StepOutcome&)> on_step_;
  std::function<void()> throw_if_stopped_ = [this] { clock_.ThrowIfStopped(t_); };
  std::vector<std::uint64_t> delays_;  // by row; empty: Trial::data.stream.delay
  Recorder recorder_;
  OutlierRecorder<T> outliers_;
  PredictionRecorder predictions_;
  Checkpoints checkpoints_;
  std::uint64_t t_ = 0;  // steps or rounds done
  double wrong_ = 0;     // streams: mistakes, or squared errors
  double most_wrong_;
  std::uint64_t most_waiting_ = 0;
  bool converged_ = false;     // the last round has reached the tolerance
  double largest_target_ = 1;  // absolute value, at least 1
  double test_seconds_ = 0;
};

extern template class TrialRunner<float>;
extern template class TrialRunner<double>;

}  // namespace okbench
