#pragma once
// Whether a thread is evaluating kernels at this moment, for whoever samples it: the share of a trial's time
// that goes into kernel values, at the cost of two stores a call instead of two readings of a clock.

#include <atomic>

namespace okbench {

/// True while the thread that owns it evaluates kernel values. Any thread may read it while the owner lives.
inline thread_local constinit std::atomic<bool> evaluating_kernels{false};

/// Sets the flag of this thread for its lifetime. Not nested.
class EvaluationScope {
 public:
  EvaluationScope() { evaluating_kernels.store(true, std::memory_order_relaxed); }
  ~EvaluationScope() { evaluating_kernels.store(false, std::memory_order_relaxed); }
  EvaluationScope(const EvaluationScope&) = delete;
  EvaluationScope& operator=(const EvaluationScope&) = delete;
};

}  // namespace okbench
