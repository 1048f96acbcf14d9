#pragma once
// A per-thread flag that is set while kernel values are evaluated. A sampling thread estimates from it the
// share of a trial's time spent on kernel values. The flag costs two stores per call instead of two clock
// readings.

#include <atomic>

namespace okbench {

/// True while this thread evaluates kernel values. Other threads may read it while this thread lives.
inline thread_local constinit std::atomic<bool> evaluating_kernels{false};

/// Sets the flag of this thread for the lifetime of the scope. Scopes must not be nested.
class EvaluationScope {
 public:
  EvaluationScope() { evaluating_kernels.store(true, std::memory_order_relaxed); }
  ~EvaluationScope() { evaluating_kernels.store(false, std::memory_order_relaxed); }
  EvaluationScope(const EvaluationScope&) = delete;
  EvaluationScope& operator=(const EvaluationScope&) = delete;
};

}  // namespace okbench
