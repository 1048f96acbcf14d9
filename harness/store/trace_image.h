#pragma once
// A trace as the bytes of an HDF5 file, in memory. HDF5 is not thread-safe, and survives neither forged files
// nor memory that runs out: it has a process of its own. May be called from any thread.

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/trial/trace.h"

namespace okbench {

inline constexpr std::int64_t kTraceFormat = 2;

/// Throws TraceError, or std::bad_alloc. `format` 1 had no digest of spec and summary.
std::string MakeImage(const Trace& trace, std::int64_t format = kTraceFormat);

/// Throws TraceError when the bytes hold no trace of this format, or a digest does not match.
Trace ParseImage(std::string_view image, std::int64_t format);

}  // namespace okbench
