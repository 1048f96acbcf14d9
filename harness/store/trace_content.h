#pragma once
// TraceContent: the texts and tables of a trace file, before parsing and verification.

#include <string>
#include <vector>

#include "harness/trial/trace.h"

namespace okbench {

/// Texts and tables of one file.
struct TraceContent {
  std::string trial_id, spec, summary, provenance;  ///< the last three are JSON
  std::string trace_digest, content_digest;         ///< SHA-256 of the columns, and of the texts
  std::vector<Table> tables;
};

/// The content of a trace, with its digests.
TraceContent ContentOf(const Trace& trace);

/// The trace of a content. Throws TraceError when a digest does not match, a text is not valid JSON, or the
/// columns of a table differ in length.
Trace TraceOf(TraceContent content);

}  // namespace okbench
