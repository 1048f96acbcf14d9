#include "harness/trial/learning_clock.h"

#include <fmt/format.h>
#include <time.h>

#include "base/error.h"
#include "learners/core/stop.h"

namespace okbench {
namespace {

double SecondsBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

double LearningClock::Seconds() const { return SecondsBetween(start_, Clock::now()) - paused_ - overhead_; }

void LearningClock::Check(std::uint64_t t) const {
  if (stop_.steps != nullptr) stop_.steps->store(t, std::memory_order_relaxed);
  ThrowIfStopped(t);
}

void LearningClock::ThrowIfStopped(std::uint64_t t) const {
  if (stop_.interrupted != nullptr && stop_.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
  if (stop_.poll && stop_.poll()) throw Interrupted();
  if (stop_.timeout_seconds > 0 && stop_.search_seconds + Seconds() > stop_.timeout_seconds)
    throw TrialFailure("timeout", fmt::format("stopped after {:g} s at example {} of {}; raise the timeout",
                                              stop_.timeout_seconds, t, all_steps_));
}

double LearningClock::ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double LearningClock::Resume() {
  const double seconds = SecondsBetween(stopped_, Clock::now());
  paused_ += seconds;
  if (measures_cpu_) cpu_paused_ += ThreadSeconds() - cpu_stopped_;
  return seconds;
}

void LearningClock::MarkLoaded() const {
  if (stop_.loaded_at != nullptr)
    stop_.loaded_at->store(std::chrono::steady_clock::now().time_since_epoch().count(),
                           std::memory_order_relaxed);
}

}  // namespace okbench
