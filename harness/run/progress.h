#pragma once
// Progress: trials done and running, and the time left, on standard error. Thread-safe.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace okbench {

/// How far one running trial is; `steps` is written by the trial.
struct RunningTrial {
  std::string name;
  std::uint64_t examples = 1;
  double cost = 1;
  std::atomic<std::uint64_t> steps{0};
};

class Progress {
 public:
  /// `total_cost` is the sum of the trials' expected work in any unit. On a terminal a status line is redrawn
  /// twice a second, elsewhere it is printed every 20 seconds.
  Progress(std::size_t trials, double total_cost, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::shared_ptr<RunningTrial> Start(const std::string& name, std::uint64_t examples, double cost);
  /// Ends a trial with one line of text, shown unless quiet.
  void Finish(const std::shared_ptr<RunningTrial>& trial, const std::string& line);
  /// A line that is shown even when quiet (failures).
  void Say(const std::string& line);

 private:
  void Loop();
  void Draw();
  void Clear();

  const std::size_t trials_;
  const double total_cost_;
  const bool quiet_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<RunningTrial>> running_;
  std::size_t done_ = 0;
  double done_cost_ = 0;
  bool stop_ = false;
  bool drawn_ = false;
  std::thread ticker_;
};

}  // namespace okbench
