#pragma once
// Summaries: what traces and records of failures come to, a row each.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/store/say.h"

namespace okbench {

/// One row of a summary, with the keys of docs/trace-format.md.
using SummaryRow = nlohmann::json;

/// Rows for trace files, failure records and folders (searched through; where a folder has a plan.json, only
/// the traces of that plan count). Throws SpecError when a path does not exist or holds no result; a corrupt
/// trace becomes a row with the status "corrupt", one that a failure record stands beside the failure's row.
/// `folds`: with the trials of cross validation. `say` is told why a trial failed or a trace is corrupt.
std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds,
                                  const Say& say = Silence);

}  // namespace okbench
