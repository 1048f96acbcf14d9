#pragma once
// Files that are whole or not there: written under a temporary name, flushed, and renamed.

#include <cstddef>
#include <filesystem>
#include <string>

namespace okbench {

/// Writes bytes under a temporary name and renames it: then the file lasts, whatever happens to the power.
/// Throws TraceError (disk full, folder not writable) and leaves nothing temporary behind.
void WriteFileAtomically(const std::string& path, const void* bytes, std::size_t count);

/// Makes a folder and those above it that are not there, to last like the files in it; throws TraceError.
void MakeFolders(const std::filesystem::path& folder);

/// Removes the temporary files that killed processes of this machine left in a folder; those of living ones,
/// and of other machines, stay.
void RemoveLeftovers(const std::filesystem::path& folder);

}  // namespace okbench
