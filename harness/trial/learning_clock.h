#pragma once
// LearningClock: the time of a trial, without checkpoints.

#include <chrono>
#include <cstdint>

#include "harness/trial/stop_token.h"

namespace okbench {

/// Measures the learning time and enforces the timeout and interruption of a trial.
class LearningClock {
 public:
  /// Starts the clock. `steps` is the number of examples of the trial, for messages.
  LearningClock(const StopToken& stop, std::uint64_t steps) : stop_(stop), all_steps_(steps) {}

  /// Seconds since construction, without paused time and overhead.
  double Seconds() const;
  /// Publishes that `t` examples are processed, and calls ThrowIfStopped().
  void Check(std::uint64_t t) const;
  /// Throws Interrupted when the trial is to stop, and TrialFailure after the timeout.
  void ThrowIfStopped(std::uint64_t t) const;
  /// Processor seconds of this thread since construction, without paused time.
  double CpuSeconds() const { return ThreadSeconds() - cpu_start_ - cpu_paused_; }
  /// CpuSeconds() becomes undefined. Pause() and Resume() are then faster: the processor time is a system
  /// call.
  void IgnoreCpu() { measures_cpu_ = false; }
  /// Pauses the clock.
  void Pause() {
    stopped_ = Clock::now();
    if (measures_cpu_) cpu_stopped_ = ThreadSeconds();
  }
  /// Resumes the clock. Returns the seconds since Pause().
  double Resume();
  /// Sets the total seconds of overhead so far (ReportsOverhead), excluded from Seconds().
  void SetOverhead(double seconds) { overhead_ = seconds; }
  /// Publishes that the data is loaded and learning begins.
  void MarkLoaded() const;

 private:
  using Clock = std::chrono::steady_clock;

  static double ThreadSeconds();

  StopToken stop_;
  std::uint64_t all_steps_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point stopped_{};
  double paused_ = 0, overhead_ = 0;
  bool measures_cpu_ = true;
  double cpu_start_ = ThreadSeconds(), cpu_stopped_ = 0, cpu_paused_ = 0;
};

}  // namespace okbench
