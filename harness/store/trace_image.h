#pragma once
// Converts a trace to and from the bytes of an HDF5 file in memory. Thread-safe: calls into HDF5 are
// serialised.

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/trial/trace.h"

namespace okbench {

inline constexpr std::int64_t kTraceFormat = 2;

/// Throws TraceError, or std::bad_alloc.
std::string MakeImage(const Trace& trace);

/// REQUIRES: the bytes come from MakeImage. The caller verifies their digest (trace_file.h), because HDF5 is
/// not robust against forged files. Throws TraceError when a digest inside does not match.
Trace ParseImage(std::string_view image);

}  // namespace okbench
