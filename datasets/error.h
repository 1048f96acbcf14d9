#pragma once
// DataError: a data file or a catalogue entry that cannot be used. One line: file, line, column and cause.

#include <stdexcept>
#include <string>

namespace okbench {

class DataError : public std::runtime_error {
 public:
  /// `line` and `column` count from 1; 0 leaves them out.
  DataError(const std::string& file, std::size_t line, std::size_t column, const std::string& cause)
      : std::runtime_error(file + (line ? ":" + std::to_string(line) : "") +
                           (line && column ? ":" + std::to_string(column) : "") + ": " + cause) {}
  explicit DataError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace okbench
