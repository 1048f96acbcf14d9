#pragma once
// ReportsOverhead: implemented by learners that call another library and convert data for it.

namespace okbench {

class ReportsOverhead {
 public:
  virtual ~ReportsOverhead() = default;
  /// Return the seconds spent since construction on loading the library and converting its input. The harness
  /// excludes them from the learning time of a trial.
  virtual double overhead_seconds() const = 0;
};

}  // namespace okbench
