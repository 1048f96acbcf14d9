#pragma once
// Converts a trace to and from the bytes of an HDF5 file in memory. Thread-safe: calls into HDF5 are
// serialized by a mutex.

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/trace/trace.h"

namespace okbench {

inline constexpr std::int64_t kTraceFormat = 2;  ///< version of the HDF5 layout

/// The bytes of the HDF5 file. Throws TraceError, or std::bad_alloc.
std::string MakeImage(const Trace& trace);

/// Reads the trace from bytes made by MakeImage. REQUIRES: the caller has verified the digest of the bytes
/// (trace_file.h), because HDF5 is not robust against damaged files.
/// Throws TraceError when the content is invalid or a digest inside does not match.
Trace ParseImage(std::string_view image);

}  // namespace okbench
