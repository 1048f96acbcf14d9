#pragma once
// StopToken: stop conditions of a trial, and the variables where it publishes its progress.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace okbench {

/// Stop conditions and progress of a trial. The pointers may be null and must outlive the trial.
struct StopToken {
  const std::atomic<bool>* interrupted = nullptr;  ///< true: stop the trial
  double timeout_seconds = 0;                      ///< limit on the learning time in seconds; 0: no limit
  double search_seconds = 0;                       ///< seconds of its search so far, part of the limit
  /// Streams: the trial ends once its mistakes, or squared errors, reach this number.
  double most_wrong = std::numeric_limits<double>::infinity();
  std::function<bool()> poll{};                    ///< called regularly by the trial; true: stop the trial
  std::atomic<std::uint64_t>* steps = nullptr;     ///< output: examples processed so far; 0 for solvers
  std::atomic<std::int64_t>* loaded_at = nullptr;  ///< output: steady-clock ticks when the data is loaded
};

}  // namespace okbench
