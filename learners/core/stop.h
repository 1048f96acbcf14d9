#pragma once
// CheckStop: lets long loops of a learner or solver stop when the trial is interrupted or its time is over.

#include <functional>

namespace okbench {

namespace internal {
inline thread_local constinit const std::function<void()>* check_stop = nullptr;
}  // namespace internal

/// During the lifetime of this object, CheckStop() of this thread calls `check`. The destructor restores the
/// function of the enclosing scope, if any.
/// Use it only where the learner is discarded after an exception.
class StopScope {
 public:
  /// `check` throws to stop, and must outlive the scope.
  explicit StopScope(const std::function<void()>& check) : outer_(internal::check_stop) {
    internal::check_stop = &check;
  }
  ~StopScope() { internal::check_stop = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::function<void()>* outer_;
};

/// Throws if the work must stop. Call it in loops that may take longer than 0.1 s, at most once a
/// microsecond.
inline void CheckStop() {
  if (internal::check_stop != nullptr) (*internal::check_stop)();
}

}  // namespace okbench
