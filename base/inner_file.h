#pragma once
// Validates file names that were read from a file: the path must stay inside its folder.

#include <filesystem>
#include <string>

#include "base/names.h"

namespace okbench {

/// The path of file `name` in `folder`. `from` is the file that contains the name, for messages.
/// Throws TraceError when the name is not an inner name (IsInnerName), is longer than 240 bytes, or leads out
/// of the folder through a symbolic link.
std::filesystem::path InnerFile(const std::filesystem::path& folder, const std::string& name,
                                const std::string& from);

}  // namespace okbench
