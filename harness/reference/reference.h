#pragma once
// Reference: an extract of a trace, against which later runs are compared. It contains the digest, the
// summary, a 16-bit hash for each row or block of rows (to locate the first difference), and the values of
// some rows (to show the difference). docs/howto/change-a-reference.md describes the files below
// results/reference/.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/trace/trace.h"

namespace okbench {

/// Makes the reference of a trace, as JSON.
nlohmann::json MakeReference(const Trace& trace);

/// The system library that computed the trace (LearnerInfo::library), if the reference was made on another
/// processor architecture. Results of such a library may differ between architectures.
/// Empty if the results must be bit-identical.
std::string LibraryIfOtherArchitecture(const nlohmann::json& reference, const Trace& trace);

/// Differences between a trace and its reference.
struct ReferenceDifference {
  std::vector<std::string> lines;  ///< one message per difference; empty if there is none
  /// First row that differs: table, row or step, and column with both values if the reference stores them.
  /// Null if the digests are equal, or if no row differs.
  nlohmann::json first;
};

/// Compares digest, revisions and summary, including the counts of kernel evaluations. Throws TraceError for
/// an invalid reference.
ReferenceDifference CompareWithReference(const nlohmann::json& reference, const Trace& trace);

}  // namespace okbench
