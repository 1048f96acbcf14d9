#pragma once
// TraceContent: the texts and tables of a trace file, before parsing and verification.

#include <string>
#include <vector>

#include "harness/trace/trace.h"

namespace okbench {

/// Texts and tables of one file.
struct TraceContent {
  std::string trial_id, spec, summary, provenance;  ///< the last three are JSON
  std::string trace_digest, content_digest;         ///< SHA-256 of the columns, and of the texts
  std::string provenance_digest{};                  ///< SHA-256 of the provenance; older traces have none
  std::vector<Table> tables;
};

/// The content of a trace, with its digests.
TraceContent ContentOf(const Trace& trace);

/// The digest over spec, summary, id and trace digest.
std::string ContentDigest(const TraceContent& content);

/// Parses and verifies the content. Throws TraceError if a digest differs or a text is not JSON. Also rejects
/// control characters, an id that is not printable ASCII, and tables whose columns differ in length.
Trace TraceOf(TraceContent content);

}  // namespace okbench
