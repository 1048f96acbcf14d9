#pragma once
// Progress: trials done and running, and the time left, on standard error. Thread-safe.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace okbench {

/// How far one running trial is; `loaded` and `steps` are written by the trial.
struct RunningTrial {
  std::string name;
  std::string experiment;
  std::string data_set;
  std::uint64_t examples = 1;
  double cost = 1;  ///< expected seconds
  std::atomic<bool> loaded{false};
  std::atomic<std::uint64_t> steps{0};
};

/// What is shown of a run.
enum class Verbosity {
  kQuiet,        ///< failures alone
  kExperiments,  ///< a line for each experiment that is over, with a bar
  kTrials,       ///< a line a trial
};

/// What there is to do.
struct ProgressPlan {
  std::map<std::string, std::size_t> trials;  ///< of each experiment
  double seconds = 0;                         ///< expected of all trials, one after the other
  int jobs = 1;
};

class Progress {
 public:
  /// On a terminal a status line is redrawn twice a second, elsewhere it is printed every 20 seconds.
  Progress(ProgressPlan plan, Verbosity verbosity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::shared_ptr<RunningTrial> Start(const std::string& name, const std::string& experiment,
                                      const std::string& data_set, std::uint64_t examples, double cost);
  /// Ends a trial with one line of text, shown where lines are of trials.
  void Finish(const std::shared_ptr<RunningTrial>& trial, const std::string& line);
  /// A line that is shown whatever the verbosity (failures).
  void Print(const std::string& line);

 private:
  // Of one experiment: when its first trial began, and how many are over.
  struct Course {
    std::chrono::steady_clock::time_point start;
    std::size_t done = 0;
  };

  void Loop();
  void Draw();
  void Clear();
  double SecondsLeft() const;
  void TellExperiment(const std::string& experiment);

  const ProgressPlan plan_;
  const std::size_t trials_;
  const Verbosity verbosity_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<RunningTrial>> running_;
  std::map<std::string, Course> courses_;
  std::size_t done_ = 0;
  double done_cost_ = 0;
  bool stop_ = false;
  bool drawn_ = false;
  std::thread ticker_;
};

}  // namespace okbench
