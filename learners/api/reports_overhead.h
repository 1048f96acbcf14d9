#pragma once
// ReportsOverhead: implemented by learners that spend time on moving data to and from another library.

namespace okbench {

class ReportsOverhead {
 public:
  virtual ~ReportsOverhead() = default;
  /// Seconds since construction that went into loading the library and converting its input. Excluded from
  /// the learning time of a trial.
  virtual double overhead_seconds() const = 0;
};

}  // namespace okbench
