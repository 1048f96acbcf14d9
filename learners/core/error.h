#pragma once
// Typed errors. They are thrown at the edges only (construction, specs, files), never inside a step.

#include <stdexcept>
#include <string>

namespace okbench {

/// A request that cannot be met as asked: a parameter out of its range, a learner given data of the
/// wrong kind. The message is one line and names what is allowed.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This processor lacks what bit-reproducibility needs (fused multiply-add).
class UnsupportedMachine : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace okbench
