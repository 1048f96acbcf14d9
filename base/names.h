#pragma once
// Validation of text from untrusted files, e.g. file names in a catalog or a plan.

#include <string>

namespace okbench {

/// Whether `name` is a relative path that stays inside its folder: no leading "/", no empty, "." or ".."
/// component, no control characters, at most 1024 bytes and 255 per component.
bool IsInnerName(const std::string& name);

/// Makes text from libraries or files fit on one line: replaces each run of control characters with one space
/// and removes trailing spaces.
std::string OneLine(const std::string& text);

}  // namespace okbench
