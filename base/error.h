#pragma once
// Exception types of okbench. A message is one line: what is wrong, where, and what to do.
//
// Errors are thrown during set-up and I/O. A learning step throws only for invalid data, e.g. a feature that
// is not finite.

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace okbench {

/// Base class of all errors. A program terminated by one exits with exit_status().
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// 1 for a failure, 2 for an invalid request.
  virtual int exit_status() const { return 1; }
};

/// An invalid request: exit status 2.
class RequestError : public Error {
 public:
  using Error::Error;
  int exit_status() const override { return 2; }
};

/// An argument out of range, or data of a kind that the learner does not support. The message names the
/// allowed values.
class InvalidArgument : public RequestError {
 public:
  using RequestError::RequestError;
};

/// An invalid spec or command-line option.
class SpecError : public RequestError {
 public:
  using RequestError::RequestError;
};

/// A data file or catalog entry that cannot be used.
class DataError : public RequestError {
 public:
  using RequestError::RequestError;
  /// Message: "file:line:column: cause". `line` and `column` count from 1; 0 omits them.
  DataError(const std::string& file, std::size_t line, std::size_t column, const std::string& cause)
      : RequestError(file + (line ? ":" + std::to_string(line) : "") +
                     (line && column ? ":" + std::to_string(column) : "") + ": " + cause) {}
};

/// The processor lacks fused multiply-add, which bit reproducibility needs.
class UnsupportedMachine : public RequestError {
 public:
  using RequestError::RequestError;
};

/// An external library that is not installed or cannot be loaded.
class LibraryError : public Error {
 public:
  using Error::Error;
};

/// A trace file that cannot be read or written.
class TraceError : public Error {
 public:
  using Error::Error;
};

/// A trial that ended without a result. `kind` is one of "diverged", "not-converged", "timeout", "data",
/// "argument", "write", "memory", "cross-validation", "learner" (a Python learner or an external library
/// failed), "internal".
class TrialFailure : public Error {
 public:
  TrialFailure(std::string kind, const std::string& message) : Error(message), kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
};

/// The user interrupted the run (Ctrl-C). Not a failure: the trial runs again next time.
class Interrupted : public std::exception {};

}  // namespace okbench
