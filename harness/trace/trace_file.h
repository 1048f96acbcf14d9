#pragma once
// Trace files, one per trial (docs/reference/traces.md). A file is a block of 512 bytes with a digest,
// followed by an HDF5 file. The digest is verified before HDF5 parses the bytes. Files are written
// atomically, so a file whose name ends in .h5 is always complete. Reading takes no file locks.

#include <string>
#include <string_view>

#include "harness/trace/trace.h"

namespace okbench {

/// The bytes of the file of a trace. Throws TraceError, without a path.
std::string TraceBytes(const Trace& trace);

/// Writes a trace atomically. Throws TraceError (disk full, folder not writable) and leaves no file behind.
void WriteTrace(const std::string& path, const Trace& trace);

/// Reads a trace, from a segment of the folder if it has no file, and verifies its digests. Throws TraceError
/// for a file that is missing, truncated, damaged, of another format, or not a trace. The message starts with
/// the path.
Trace ReadTrace(const std::string& path);

/// Parses the bytes of a trace file. `path` is used in messages only. Throws as ReadTrace does.
Trace ParseTrace(std::string_view bytes, const std::string& path);

/// Reads the bytes of a trace file, from a segment of the folder if it is not a file. Throws TraceError.
std::string ReadBytes(const std::string& path);

}  // namespace okbench
