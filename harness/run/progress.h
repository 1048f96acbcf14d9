#pragma once
// Progress: shows on standard error the trials done and running, and the time left.

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace okbench {

/// Progress of one running trial. The trial writes `loaded` and `steps`; both are safe to read concurrently.
struct RunningTrial {
  std::string name;
  std::string data_set;
  std::uint64_t examples = 1;           ///< steps of the whole trial, >= 1
  double cost = 1;                      ///< expected seconds
  std::atomic<bool> loaded{false};      ///< the data set is in memory
  std::atomic<std::uint64_t> steps{0};  ///< steps done so far
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
  double seconds = 0;  ///< expected seconds of all trials, one after another
  double weight = 0;   ///< sum of their weights
  int jobs = 1;        ///< trials run in parallel

  /// Adds a trial of these expected seconds.
  void Add(double expected) {
    seconds += expected;
    weight += Weight(expected);
  }
  /// Share of a trial in the time of a run, up to a factor. The square root, because expected seconds
  /// overstate large trials and leave out what small trials take besides kernel values: on the 1226 trials of
  /// the default tier, a proportional share gave a fifth of the remaining time.
  static double Weight(double expected) { return std::sqrt(expected); }
};

/// Starts a thread that shows a status line, unless the verbosity is kQuiet. Thread-safe.
class Progress {
 public:
  /// Redraws the status line twice a second on a terminal; elsewhere prints it every minute.
  Progress(ProgressPlan plan, Verbosity verbosity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Registers a running trial. `cost`: expected seconds.
  std::shared_ptr<RunningTrial> Start(const std::string& name, const std::string& data_set,
                                      std::uint64_t examples, double cost);
  /// Removes a trial of Start(). Shows `line` if the verbosity is kTrials.
  void Finish(const std::shared_ptr<RunningTrial>& trial, const std::string& line);
  /// Shows a line at any verbosity, e.g. a failure.
  void Print(const std::string& line);

 private:
  void Loop();
  void Draw();
  void Clear();
  double SecondsLeft() const;

  const ProgressPlan plan_;
  const Verbosity verbosity_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<RunningTrial>> running_;
  std::size_t done_ = 0;
  double done_weight_ = 0;
  bool stop_ = false;
  bool drawn_ = false;
  std::thread ticker_;
};

}  // namespace okbench
