#pragma once
// ProgressLine: shows on standard error the trials done and running, and the time left.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/run/time_left.h"

namespace okbench {

/// ProgressLine of one running trial. The trial writes `loaded_at` and `steps`, which are safe to read
/// concurrently.
struct RunningTrial {
  std::string name;
  std::string data_set;
  std::string group;                       ///< of TimeLeft
  double cost = 1;                         ///< expected seconds
  std::uint64_t examples = 1;              ///< examples of the whole trial, >= 1
  std::atomic<std::int64_t> loaded_at{0};  ///< steady-clock ticks when the data were in memory; 0: not yet
  std::atomic<std::uint64_t> steps{0};     ///< examples processed so far; 0 for solvers
};

/// Lines shown besides the status line.
enum class Verbosity {
  kQuiet,    ///< failures only, without status line
  kSummary,  ///< the status line; where it cannot be redrawn, one line per tenth of the trials
  kTrials,   ///< one line per finished trial
};

/// The work of a run.
struct ProgressPlan {
  std::size_t trials = 0;
  int jobs = 1;  ///< trials run in parallel
  TimeLeft left{};
};

/// Starts a thread that shows a status line, unless the verbosity is kQuiet. Thread-safe.
class ProgressLine {
 public:
  /// Redraws the status line twice a second on a terminal; elsewhere prints it every minute.
  ProgressLine(ProgressPlan plan, Verbosity verbosity);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Registers a running trial, which the plan's TimeLeft has in `group` with `cost` expected seconds.
  std::shared_ptr<RunningTrial> Start(const std::string& name, const std::string& data_set,
                                      const std::string& group, std::uint64_t examples, double cost);
  /// Removes a trial of Start().
  void Finish(const std::shared_ptr<RunningTrial>& trial);
  /// Counts a trial as done, because its result is stored. Shows `line` if the verbosity is kTrials.
  void Report(const std::string& line);
  /// Shows a line at any verbosity, e.g. a failure.
  void Print(const std::string& line);

 private:
  void Loop();
  void Draw();
  void Clear();
  double PredictedOf(const RunningTrial& trial) const;
  double SecondsLeft() const;

  ProgressPlan plan_;
  const Verbosity verbosity_;
  const bool terminal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<RunningTrial>> running_;
  std::size_t done_ = 0;
  bool stop_ = false;
  bool drawn_ = false;
  std::thread ticker_;
};

}  // namespace okbench
