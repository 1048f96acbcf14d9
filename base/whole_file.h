#pragma once
// Reads files with system calls. File streams cannot distinguish a lack of memory from other errors.

#include <string>
#include <system_error>

namespace okbench {

/// Reads a file into `bytes`. Returns the system's error if it cannot be read. Throws std::bad_alloc if
/// memory runs out.
std::error_code ReadWhole(const std::string& path, std::string& bytes);

/// Returns the bytes of a file. Throws Error(message) if it cannot be read, and std::bad_alloc.
template <class Error>
std::string WholeFile(const std::string& path) {
  std::string bytes;
  if (const std::error_code error = ReadWhole(path, bytes))
    throw Error(path + ": cannot be read: " + error.message());
  return bytes;
}

}  // namespace okbench
