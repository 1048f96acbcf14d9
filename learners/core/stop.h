#pragma once
// CheckStop: lets long loops of a learner or solver stop when the trial is interrupted or its time is over.

#include <functional>

namespace okbench {

namespace internal {
inline thread_local constinit const std::function<void()>* check_stop = nullptr;
}  // namespace internal

/// While it lives, CheckStop() of this thread calls `check`. Install it only where an exception may leave the
/// learner unusable. Scopes must not be nested.
class StopScope {
 public:
  /// `check` throws to stop, and must outlive the scope.
  explicit StopScope(const std::function<void()>& check) { internal::check_stop = &check; }
  ~StopScope() { internal::check_stop = nullptr; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
};

/// Throws if the work must stop. Call it in loops that may take longer than 0.1 s, at most once a
/// microsecond.
inline void CheckStop() {
  if (internal::check_stop != nullptr) (*internal::check_stop)();
}

}  // namespace okbench
