#pragma once
// Summaries: one row of numbers per trace or failure record.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/measures/trace.h"
#include "harness/store/log.h"

namespace okbench {

/// One row of a summary. docs/reference/traces.md describes its keys.
using SummaryRow = nlohmann::json;

/// Makes the rows of trace files, failure records and folders. Folders are searched recursively; in a folder
/// with a plan.json, only the results of that plan count. A corrupt trace becomes a row with the status
/// "corrupt". A trace with a failure record becomes the row of the failure.
/// `folds`: includes cross-validation trials. `log` receives why a trial failed or a trace is corrupt.
/// `target`: adds the number of kernel evaluations after which the average error stays below this.
/// Throws SpecError when a path does not exist or there are no results, and TraceError for an invalid plan or
/// failure record.
std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds, const LogFn& log = NoLog,
                                  std::optional<double> target = std::nullopt);

/// Requested kernel evaluations at the first recorded step after which the average error stays below `error`.
/// The average error is mistakes / counted examples. Nothing if the final error is not below, for regression,
/// and for traces without provenance `counted`. Throws TraceError if a column of counts is missing, and
/// json::exception if summary or provenance is incomplete.
std::optional<std::uint64_t> CostToReach(const Trace& trace, double error);

/// One row per experiment, learner, grid point, batch size and data set: `seeds`, `failed` (trials without a
/// result), and for each measure {`mean`, `deviation` (null for one seed)} over the seeds. Ignores folds.
std::vector<SummaryRow> MeansOver(const std::vector<SummaryRow>& rows);

/// For each experiment, learner and data set, the row of MeansOver with the smallest error (test error if
/// there is one). Adds `points`, the number of rows it was chosen from.
std::vector<SummaryRow> BestOf(const std::vector<SummaryRow>& means);

}  // namespace okbench
