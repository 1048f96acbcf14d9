#pragma once
// Names of files that come from a file: a catalogue, a plan.

#include <string>

namespace okbench {

/// Whether a name stays inside the folder that it is of: a relative path without "..", control characters or
/// an empty part.
bool IsInnerName(const std::string& name);

}  // namespace okbench
