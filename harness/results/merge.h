#pragma once
// Verifies and merges the result folders of several machines.

#include <cstddef>
#include <string>
#include <vector>

#include "base/log.h"

namespace okbench {

/// Numbers of trials.
struct MergeReport {
  std::size_t planned = 0;  ///< trials in all plans
  std::size_t valid = 0;    ///< trials with a valid result
  /// Traces copied to `out`; trials without a valid result; trials with different results in two folders.
  std::size_t copied = 0, missing = 0, contradicting = 0;
  bool complete() const { return valid == planned; }
};

/// Verifies format, digest and id of every planned trace below the folders, and compares traces of the same
/// trial. Copies traces and plans to `out` unless it is empty.
/// `log` receives invalid files, contradicting files and missing trials.
/// Throws SpecError when plans differ or none exists, and TraceError.
MergeReport Merge(const std::vector<std::string>& folders, const std::string& out, const LogFn& log);

}  // namespace okbench
