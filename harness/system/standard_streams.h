#pragma once
// Makes standard input, output and error safe to use, and detects failed output.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace okbench {

/// Prints to standard error. Ignores write errors.
template <class... Arguments>
void PrintToError(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Opens /dev/null for each closed standard stream, such that reads and writes fail. Otherwise the next
/// opened file would get the descriptor and receive the output. Exits with status 1 on failure.
void OpenStandardStreams() noexcept;

/// Flushes standard output. Throws std::system_error if this or an earlier write failed.
void FlushOutput();

}  // namespace okbench
