#pragma once
// KernelShare: which share of its learning time a trial spends in kernel values, by sampling.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace okbench {

/// Looks once a millisecond at whether the thread that made it evaluates kernels. Without a thread to spare
/// (no memory, a limit) it knows nothing, and the trial goes on.
class KernelShare {
 public:
  /// Samples that a share needs: its standard error is then below 0.05.
  static constexpr std::uint64_t kFewestSamples = 100;

  KernelShare();
  ~KernelShare() { Stop(); }
  KernelShare(const KernelShare&) = delete;
  KernelShare& operator=(const KernelShare&) = delete;

  /// What is measured is not learning: no samples are taken meanwhile.
  void Pause() { paused_.store(true, std::memory_order_relaxed); }
  void Resume() { paused_.store(false, std::memory_order_relaxed); }

  /// Samples taken so far.
  std::uint64_t samples() const { return samples_.load(std::memory_order_relaxed); }

  /// Ends the sampling; in [0, 1], none when the trial was too short to tell.
  std::optional<double> Finish();

 private:
  void Sample(const std::atomic<bool>& evaluating);
  void Stop();

  std::atomic<bool> paused_{false};
  std::atomic<std::uint64_t> samples_{0};
  std::uint64_t evaluating_ = 0;  // the sampling thread's, until it has ended
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace okbench
