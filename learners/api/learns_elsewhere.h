#pragma once
// LearnsElsewhere: of a learner whose library has a process of its own, what that costs beside learning.

namespace okbench {

class LearnsElsewhere {
 public:
  virtual ~LearnsElsewhere() = default;
  /// Seconds so far, of the learner's construction and of its rounds, that went into starting the process and
  /// moving data there and back: trials do not count them as learning, since no learner in this process has
  /// to do that.
  virtual double seconds_beside() const = 0;
};

}  // namespace okbench
