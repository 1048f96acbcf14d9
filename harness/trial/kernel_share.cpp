#include "harness/trial/kernel_share.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "learners/kernels/activity.h"

namespace okbench {

// The sampling thread of one learning thread.
class KernelSampler {
 public:
  static KernelSampler& OfThisThread() {
    thread_local KernelSampler sampler;
    return sampler;
  }

  ~KernelSampler() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void Begin(KernelShare& share) {
    const std::lock_guard lock(mutex_);
    share_ = &share;
    if (asleep_) changed_.notify_one();
    if (thread_.joinable()) return;
    try {
      thread_ = std::thread(&KernelSampler::Sample, this, std::cref(evaluating_kernels));
    } catch (const std::system_error&) {  // no thread available: nothing is sampled
    } catch (const std::bad_alloc&) {
    }
  }

  void End() {
    const std::lock_guard lock(mutex_);
    share_ = nullptr;
  }

 private:
  void Sample(const std::atomic<bool>& evaluating) {
    constexpr std::chrono::milliseconds kInterval{1};
    constexpr int kPatience = 1000;  // intervals without a trial until the thread sleeps
    std::unique_lock lock(mutex_);
    for (int idle = 0; !end_;) {
      asleep_ = idle >= kPatience;
      if (asleep_)
        changed_.wait(lock, [this] { return end_ || share_ != nullptr; });
      else
        changed_.wait_for(lock, kInterval, [this] { return end_; });
      idle = share_ == nullptr ? idle + 1 : 0;
      if (share_ == nullptr || share_->paused_.load(std::memory_order_relaxed)) continue;
      share_->samples_.fetch_add(1, std::memory_order_relaxed);
      if (evaluating.load(std::memory_order_relaxed)) ++share_->evaluating_;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  KernelShare* share_ = nullptr;  // of the running trial; null between trials
  bool asleep_ = false, end_ = false;
  std::thread thread_;
};

KernelShare::KernelShare() { KernelSampler::OfThisThread().Begin(*this); }

void KernelShare::Stop() { KernelSampler::OfThisThread().End(); }

std::optional<double> KernelShare::Finish() {
  Stop();
  if (samples() < kFewestSamples) return std::nullopt;
  return static_cast<double>(evaluating_) / static_cast<double>(samples());
}

}  // namespace okbench
