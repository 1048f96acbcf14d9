#pragma once
// A trace as the bytes of an HDF5 file, in memory. HDF5 itself is not thread-safe; these functions may be
// called from any thread and take turns.

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/trial/trace.h"

namespace okbench {

inline constexpr std::int64_t kTraceFormat = 2;

/// Throws TraceError. `format` 1 had no digest of spec and summary.
std::string MakeImage(const Trace& trace, std::int64_t format = kTraceFormat);

/// Bytes that are known to be whole: HDF5 does not survive all damaged ones. Throws TraceError when they hold
/// no trace of this format, or a digest does not match.
Trace ParseImage(std::string_view image, std::int64_t format);

}  // namespace okbench
