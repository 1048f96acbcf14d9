#pragma once
// Files whose names come from a file: they must not lie outside the folder that they are of.

#include <filesystem>
#include <string>

#include "learners/core/names.h"

namespace okbench {

/// The file of this name in a folder. Throws TraceError, naming `from`, when the name is not an inner one, is
/// longer than 240 bytes, or leads out of the folder over a link.
std::filesystem::path InnerFile(const std::filesystem::path& folder, const std::string& name,
                                const std::string& from);

}  // namespace okbench
