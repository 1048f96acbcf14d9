#pragma once
// Typed errors of the harness. Each message is one line.

#include <stdexcept>
#include <string>

namespace okbench {

/// A spec, an option or an argument that cannot be used: exit status 2.
class SpecError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A trace file that cannot be read or written.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A trial that ended without a result; `kind` is one of "diverged", "not-converged", "timeout", "data",
/// "argument", "write", "memory", "cross-validation", "learner" (an error of a learner that is a Python
/// object, or of the library that it calls), "internal".
class TrialFailure : public std::runtime_error {
 public:
  TrialFailure(std::string kind, const std::string& message)
      : std::runtime_error(message), kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
};

/// The user asked to stop (Ctrl-C): not a failure, the trial runs again next time.
class Interrupted : public std::exception {};

}  // namespace okbench
