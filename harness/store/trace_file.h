#pragma once
// Trace files, one a trial (docs/trace-format.md): a block of 512 bytes with the digest of all that follows,
// which is an HDF5 file. The digest is checked before HDF5 sees a byte. A file is built in memory, written
// under a temporary name, flushed, and renamed: a name that ends in .h5 is always whole. Reading takes no
// file locks.

#include <string>
#include <string_view>

#include "harness/trial/trace.h"

namespace okbench {

/// Writes a trace; throws TraceError (disk full, folder not writable) and leaves nothing behind then.
void WriteTrace(const std::string& path, const Trace& trace);

/// Reads a trace and checks its digests. Throws TraceError for a file that is missing, truncated, damaged, of
/// another format, or no trace; the message starts with the path.
Trace ReadTrace(const std::string& path);

/// The same for the bytes of a file, which `path` names in messages.
Trace ParseTrace(std::string_view bytes, const std::string& path);

/// The bytes of a file. Throws TraceError.
std::string ReadBytes(const std::string& path);

}  // namespace okbench
