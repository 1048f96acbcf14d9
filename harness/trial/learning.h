#pragma once
// Learning: a learner that is shown its examples as its trial says, and the trace that comes of it. The
// trial's data is in memory, or comes in chunks.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "datasets/stream.h"
#include "harness/plan/plan.h"
#include "harness/trial/kernel_share.h"
#include "harness/measures/measure.h"
#include "harness/trial/outlier_recorder.h"
#include "harness/trial/recorder.h"
#include "harness/trial/stop_token.h"
#include "harness/trial/trace.h"

namespace okbench {

/// Examples of a trial whose stream may go on for ever.
inline constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

/// Time of learning, and when to give up.
class LearningClock {
 public:
  LearningClock(const StopToken& stop, std::uint64_t steps) : stop_(stop), all_steps_(steps) {}

  /// Since it was made, without what was spent beside learning.
  double Seconds() const;
  /// Throws Interrupted, TrialFailure or std::bad_alloc; `t` steps are done.
  void Check(std::uint64_t t) const;
  /// From now on time is not of learning.
  void Stop() { stopped_ = Clock::now(); }
  /// Now it is again; the seconds between.
  double Go();
  /// Total seconds of overhead so far (ReportsOverhead), excluded from Seconds().
  void SetOverhead(double seconds) { overhead_ = seconds; }
  /// Data is there, learning begins.
  void TellLoaded() const;

 private:
  using Clock = std::chrono::steady_clock;

  StopToken stop_;
  std::uint64_t all_steps_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point stopped_{};
  double paused_ = 0, overhead_ = 0;
};

template <class T>
class Learning {
 public:
  /// `train` and `test`, which may be null, outlive this object. `open`: `train` holds the first rows of a
  /// stream that comes in chunks; the learner is Resumable. `share`, if there is one, is paused while
  /// anything but learning goes on. Throws InvalidArgument.
  Learning(const Trial& trial, const Examples<T>& train, const Examples<T>* test, const StopToken& stop,
           std::size_t lookahead, bool open = false, KernelShare* share = nullptr);

  /// Shows the whole trial. Throws Interrupted, TrialFailure, InvalidArgument, DataError, std::bad_alloc.
  void Run();

  /// The learner's training set has new contents: takes in rows `first` .. of it, the next ones of the
  /// stream, in their order; of mini-batches the last one may be smaller. Throws as Run does.
  void RunChunk(std::size_t first);

  /// Tables and summary up to here; the last step has a row.
  Trace Result() const;

  Learner& learner() { return *learner_; }
  const Learner& learner() const { return *learner_; }
  /// The learner alone; nothing else may be called any more.
  std::unique_ptr<Learner> TakeLearner() { return std::move(learner_); }
  double seconds() const { return clock_.Seconds(); }
  double test_seconds() const { return test_seconds_; }
  bool counts_training() const { return recorder_.counts_training(); }
  /// Time between two chunks is not the learner's.
  LearningClock& clock() { return clock_; }

 private:
  // The interface that the registry promises.
  template <class Kind>
  Kind& As() const {
    return dynamic_cast<Kind&>(*learner_);
  }
  std::vector<std::uint32_t> Stream() const;
  void RunStream(StreamLearner& learner);
  void RunSolver(SolverLearner& learner);
  void RunRounds(RoundLearner& learner);
  void Step(StreamLearner& learner, std::uint32_t example, std::uint64_t number);
  RoundOutcome Round(RoundLearner& learner, std::span<const std::uint32_t> batch);
  void UpdateOverhead();
  void RequireExamples(const RoundOutcome& outcome, std::size_t drawn) const;
  RealStep RealStepOf(std::uint32_t example) const;
  void Measure(std::uint64_t t, std::uint64_t examples);

  Trial trial_;
  const Examples<T>& train_;
  const Examples<T>* test_;
  LearningClock clock_;
  KernelShare* share_;
  std::unique_ptr<Learner> learner_;
  MeasureContext context_;
  MeasureSet measures_;
  Recorder recorder_;
  OutlierRecorder<T> outliers_;
  Checkpoints checkpoints_;
  std::uint64_t t_ = 0;  // steps or rounds so far
  double test_seconds_ = 0;
};

extern template class Learning<float>;
extern template class Learning<double>;

}  // namespace okbench
