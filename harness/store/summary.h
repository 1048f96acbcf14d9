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

struct SummaryRequest {
  std::vector<std::string> paths;  ///< trace files, failure records and folders
  bool folds = false;              ///< include cross-validation trials
  bool stale = false;              ///< accept results of another spec, data or revision than the present one
  /// Adds the number of kernel evaluations after which the average error stays below this.
  std::optional<double> target{};
};

/// Makes one row per trial. Folders are searched recursively; in a folder with a plan.json, only the results
/// of that plan count. A trial that occurs twice counts once. `status` is one of
///
///   ok             the trace is valid
///   ok (stale)     as below, but accepted
///   stale          the trial's spec, data or code has changed since the run; no numbers
///   corrupt        the trace is damaged, or not of the trial that it names; no numbers
///   failed: KIND   the trial has a failure record
///   missing        the plan names the trial, but it has not run
///
/// `log` receives the reason of every row without numbers, one line per folder for missing trials.
/// Throws SpecError when a path does not exist or there are no results, and TraceError for an invalid plan or
/// failure record.
std::vector<SummaryRow> Summarise(const SummaryRequest& request, const LogFn& log = NoLog);

/// A value of the row's `measures`, such as "auc@1000"; null if there is none.
nlohmann::json MeasureOf(const SummaryRow& row, const std::string& name);

/// Whether the row has numbers.
bool HasNumbers(const SummaryRow& row);

/// Requested kernel evaluations at the first recorded step after which the average error stays below `error`.
/// The average error is mistakes / counted examples. Nothing if the final error is not below, for regression,
/// and for traces without provenance `counted`. Throws TraceError if a column of counts is missing, and
/// json::exception if summary or provenance is incomplete.
std::optional<std::uint64_t> CostToReach(const Trace& trace, double error);

/// One row per set of trials that differ in the seed alone: `seeds`, `failed` (trials without a valid
/// result), `missing` (planned trials that have not run), `stale`, `complete` (every trial has a valid
/// result), and for each measure {`mean`, `deviation` (null for one seed)} over the seeds. The measures are
/// null unless complete. Ignores folds.
std::vector<SummaryRow> MeansOver(const std::vector<SummaryRow>& rows);

/// For each experiment, learner and data set, the row of MeansOver with the smallest error (test error if
/// there is one). Adds `points`, the number of complete rows it was chosen from.
std::vector<SummaryRow> BestOf(const std::vector<SummaryRow>& means);

}  // namespace okbench
