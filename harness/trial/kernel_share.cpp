#include "harness/trial/kernel_share.h"

#include <chrono>
#include <functional>
#include <new>
#include <system_error>

#include "learners/kernels/activity.h"

namespace okbench {

KernelShare::KernelShare() {
  try {
    thread_ = std::thread(&KernelShare::Sample, this, std::cref(evaluating_kernels));
  } catch (const std::system_error&) {  // no thread available: nothing is sampled
  } catch (const std::bad_alloc&) {
  }
}

void KernelShare::Sample(const std::atomic<bool>& evaluating) {
  constexpr std::chrono::milliseconds kInterval{1};
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kInterval, [this] { return end_; })) {
    if (paused_.load(std::memory_order_relaxed)) continue;
    samples_.fetch_add(1, std::memory_order_relaxed);
    if (evaluating.load(std::memory_order_relaxed)) ++evaluating_;
  }
}

void KernelShare::Stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

std::optional<double> KernelShare::Finish() {
  Stop();
  if (samples() < kFewestSamples) return std::nullopt;
  return static_cast<double>(evaluating_) / static_cast<double>(samples());
}

}  // namespace okbench
