#pragma once
// Merging: the result folders of several machines verified and joined.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/store/log.h"

namespace okbench {

/// Trials of the plans, by what became of them.
struct MergeReport {
  std::size_t planned = 0;
  std::size_t whole = 0;  ///< have a valid result
  std::size_t copied = 0, missing = 0, contradicting = 0;
  bool complete() const { return whole == planned; }
};

/// Verifies every trace (format, digest, id) below the folders, compares those that several folders hold, and
/// copies them and their plans to `out` when it is not empty. `log` is told which files do not count, which
/// contradict each other, and what the plans ask for and no folder has. Throws SpecError when plans differ or
/// there is none, and TraceError.
MergeReport Merge(const std::vector<std::string>& folders, const std::string& out, const LogFn& log);

}  // namespace okbench
