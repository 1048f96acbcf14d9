#pragma once
// A file's bytes, by the system's calls alone: a stream that does not open tells no shortage of memory apart.

#include <string>
#include <system_error>

namespace okbench {

/// The bytes of a file, put in `bytes`; an error of the system where it cannot be read. Throws std::bad_alloc
/// where memory is short.
std::error_code ReadWhole(const std::string& path, std::string& bytes);

/// The bytes of a file. Throws `Error` (of one line of text) where it cannot be read, and std::bad_alloc.
template <class Error>
std::string WholeFile(const std::string& path) {
  std::string bytes;
  if (const std::error_code error = ReadWhole(path, bytes))
    throw Error(path + ": cannot be read: " + error.message());
  return bytes;
}

}  // namespace okbench
