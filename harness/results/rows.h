#pragma once
// The rows of results: one per trial.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "harness/results/row.h"

namespace okbench {

struct RowRequest {
  std::vector<std::string> paths;  ///< trace files, failure records and folders
  bool folds = false;              ///< include cross-validation trials
  bool stale = false;              ///< accept results of another spec, data or revision than the present one
  bool traces = false;  ///< read the traces in segments, too, and compare them with their summary rows
  bool axes = false;    ///< also set parameters and label of trials without a result, from the plan
  /// Adds the number of kernel evaluations after which the average error stays below this.
  std::optional<double> target{};
};

/// Receives a row and its position in the order of paths, folders and plans. May move from the row.
using RowVisitor = std::function<void(Row&& row, std::size_t position)>;

/// Makes one row per trial. Folders are searched recursively; in a folder with a plan.json, only the results
/// of that plan count. A trial that occurs twice counts once. `status` is one of
///
///   ok             the trace is valid
///   ok (stale)     stale, but accepted because of RowRequest::stale
///   stale          the trial's spec, data or code has changed since the run; no numbers
///   corrupt        the trace is damaged or incomplete, or not of the trial in the plan; or there is none,
///                  and a segment of the folder is damaged; no numbers
///   failed: KIND   the trial has a failure record
///   missing        the plan names the trial, but it has not run
///
/// `visit` receives the rows one at a time, on any thread. In each folder, rows of trace files come first,
/// in order of their positions, then rows in segments. Rows of trials that may occur twice come last. `log`
/// receives the reason of every row without numbers; missing and stale trials get one line per folder.
/// Throws SpecError when a path does not exist or there are no results, and TraceError for an invalid plan
/// or failure record.
void ForEachRow(const RowRequest& request, const RowVisitor& visit, const LogFn& log = NoLog);

}  // namespace okbench
