#pragma once
// What a trace file holds, as it stands in the file, and the same in one string of bytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trial/trace.h"

namespace okbench {

/// Texts and tables of one file.
struct TraceContent {
  std::string trial_id, spec, summary, provenance;  ///< the latter three JSON
  std::string trace_digest, content_digest;         ///< the latter "" in format 1
  std::vector<Table> tables;
};

/// Of a trace, with its digests.
TraceContent ContentOf(const Trace& trace, std::int64_t format);

/// The trace of a content. Throws TraceError when it does not fit its digests, is not JSON, or has columns of
/// several lengths in a table.
Trace TraceOf(TraceContent content, std::int64_t format);

/// To bytes, for another process on this machine, and back. `Unpack` throws TraceError for what `Pack` cannot
/// have made.
std::string Pack(const TraceContent& content);
TraceContent Unpack(std::string_view bytes);

}  // namespace okbench
