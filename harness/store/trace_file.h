#pragma once
// Trace files: one HDF5 file a trial (docs/trace-format.md). A file is built in memory, written under a
// temporary name, flushed, and renamed: a name that ends in .h5 is always whole. HDF5 itself is not
// thread-safe; these functions may be called from any thread and take turns.

#include <string>
#include <vector>

#include "harness/trial/trace.h"

namespace okbench {

inline constexpr int kTraceFormat = 1;

/// Writes a trace; throws TraceError (disk full, folder not writable) and leaves nothing behind then.
void WriteTrace(const std::string& path, const Trace& trace);

/// Reads a trace and checks format and digest; throws TraceError.
Trace ReadTrace(const std::string& path);

}  // namespace okbench
