#pragma once
// Names of files that come from a file: a catalogue, a plan.

#include <string>

namespace okbench {

/// Whether a name stays inside the folder that it is of: a relative path without "..", control characters or
/// an empty part, of at most 1024 bytes, and 255 in a part.
bool IsInnerName(const std::string& name);

/// The text with a blank in place of each control character and run of them: libraries' messages, and what is
/// quoted from files, have line ends.
std::string OneLine(const std::string& text);

}  // namespace okbench
