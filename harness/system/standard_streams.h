#pragma once
// Standard input, output and error: there, and what was printed has arrived.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace okbench {

/// Prints to standard error. Where that cannot be written nobody is told, and the work goes on all the same.
template <class... Arguments>
void PrintToError(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Puts something in the place of those that are closed, which fails to be read or written: else the next
/// file that is opened would take what is printed.
void OpenStandardStreams() noexcept;

/// Throws std::system_error where standard output could not be written, now or before.
void FlushOutput();

}  // namespace okbench
