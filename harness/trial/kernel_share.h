#pragma once
// KernelShare: estimates by sampling which share of the learning time is spent in kernel evaluations.

#include <atomic>
#include <cstdint>
#include <optional>

namespace okbench {

/// Samples once per millisecond whether the constructing thread evaluates kernels. Every learning thread has
/// one sampling thread for all its trials, because starting one takes longer than a short trial. If it cannot
/// be started (no memory, thread limit), no samples are taken and Finish() returns nothing.
/// REQUIRES: one object per thread at a time.
class KernelShare {
 public:
  /// Smallest number of samples for which a share is reported. Its standard error is then at most 0.05.
  static constexpr std::uint64_t kFewestSamples = 100;

  KernelShare();
  ~KernelShare() { Stop(); }
  KernelShare(const KernelShare&) = delete;
  KernelShare& operator=(const KernelShare&) = delete;

  /// Stops sampling while the trial does something other than learning, such as testing.
  void Pause() { paused_.store(true, std::memory_order_relaxed); }
  void Resume() { paused_.store(false, std::memory_order_relaxed); }

  /// Samples taken so far.
  std::uint64_t samples() const { return samples_.load(std::memory_order_relaxed); }

  /// Stops sampling and returns the share in [0, 1]. Nothing with fewer than kFewestSamples samples.
  std::optional<double> Finish();

 private:
  friend class KernelSampler;
  void Stop();

  std::atomic<bool> paused_{false};
  std::atomic<std::uint64_t> samples_{0};
  std::uint64_t evaluating_ = 0;  // positive samples; written by the sampling thread, read after Stop()
};

}  // namespace okbench
