#pragma once
// Files that are whole or not there: written under a temporary name, flushed, and renamed.

#include <cstddef>
#include <filesystem>
#include <string>

namespace okbench {

/// Writes bytes under a temporary name and renames it; throws TraceError (disk full, folder not writable) and
/// leaves nothing behind then.
void WriteFileAtomically(const std::string& path, const void* bytes, std::size_t count);

/// Removes the temporary files that killed processes of this machine left in a folder; those of living ones,
/// and of other machines, stay.
void RemoveLeftovers(const std::filesystem::path& folder);

}  // namespace okbench
