#pragma once
// Reference: what is kept of a trace to compare later runs with: its digest and summary, a 16-bit hash of
// every row, so that the first row that differs can be named, and the values of some rows, so that it can be
// said how. docs/reproducibility.md describes the files below results/reference/.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/trial/trace.h"

namespace okbench {

/// The reference of a trace, as JSON.
nlohmann::json MakeReference(const Trace& trace);

/// The library of the system that computed a trace whose reference another kind of processor has made
/// (LearnerInfo::library): its bits need not be the same. Empty: they have to be.
std::string LibraryOfOthers(const nlohmann::json& reference, const Trace& trace);

/// How a trace differs from its reference.
struct ReferenceDifference {
  std::vector<std::string> lines;  ///< one each, the earliest first; empty: it does not
  /// Of the first row that differs: table, row or step, and column with both values where they are kept;
  /// null where the digest is the same, or no row tells.
  nlohmann::json first;
};

/// None when the trace has the same digest and the same summary (kernel evaluations among them). Throws
/// TraceError for a reference that cannot be read.
ReferenceDifference CompareWithReference(const nlohmann::json& reference, const Trace& trace);

}  // namespace okbench
