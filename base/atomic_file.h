#pragma once
// Atomic file writes: a file is written under a temporary name, flushed, and renamed.

#include <cstddef>
#include <filesystem>
#include <string>

namespace okbench {

/// Writes `count` bytes to `path` atomically. After return, the file survives a power failure.
/// Throws TraceError (disk full, folder not writable) and removes the temporary file.
void WriteFileAtomically(const std::string& path, const void* bytes, std::size_t count);

/// Creates a folder and its missing parents, and flushes them to disk. Throws TraceError.
void MakeFolders(const std::filesystem::path& folder);

/// Removes temporary files that killed processes of this machine left in a folder. Keeps the files of
/// running processes and of other machines.
void RemoveLeftovers(const std::filesystem::path& folder);

}  // namespace okbench
