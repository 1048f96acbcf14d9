#pragma once
// Summaries: what traces and records of failures come to, a row each.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/log.h"
#include "harness/trial/trace.h"

namespace okbench {

/// One row of a summary, with the keys of docs/trace-format.md.
using SummaryRow = nlohmann::json;

/// Rows for trace files, failure records and folders (searched through; where a folder has a plan.json, only
/// the traces of that plan count). Throws SpecError when a path does not exist or holds no result; a corrupt
/// trace becomes a row with the status "corrupt", one that a failure record stands beside the failure's row.
/// `folds`: with the trials of cross validation. `log` is told why a trial failed or a trace is corrupt.
/// `target`: rows tell how many kernel evaluations it took to reach this average error.
std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds, const LogFn& log = NoLog,
                                  std::optional<double> target = std::nullopt);

/// Requested kernel evaluations at the first recorded step from which on the average error, mistakes over the
/// examples that they were counted on, stays below `error`; none when it does not end below. For regression
/// none at all. Throws TraceError for a trace without counts of these, and json::exception for one whose
/// summary or provenance is not whole.
std::optional<std::uint64_t> CostToReach(const Trace& trace, double error);

/// A row for each experiment, learner, grid point and data set: `seeds`, `failed` (trials without a result),
/// and of each measure {`mean`, `deviation` (null for one seed)} over its seeds. Folds are left out.
std::vector<SummaryRow> MeansOver(const std::vector<SummaryRow>& rows);

/// Of the rows of MeansOver that differ in their grid point alone the one with the least error (on the test
/// part, where there is one), with `points`, how many there are.
std::vector<SummaryRow> BestOf(const std::vector<SummaryRow>& means);

}  // namespace okbench
