#pragma once
// Summary rows: the settings and results of one trial as a JSON object.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "harness/measures/trace.h"
#include "harness/store/log.h"
#include "harness/store/plan_file.h"

namespace okbench {

/// One row of a summary. docs/reference/traces.md describes its keys.
using SummaryRow = nlohmann::json;

/// The row of a trace, status "ok". `target`: adds the cost to reach this average error. Throws
/// json::exception or TraceError if an entry that every trial writes is missing or invalid.
SummaryRow RowOf(const Trace& trace, std::optional<double> target);

/// The row of the trace file or failure record of a trial. `log` receives the reason of a row without
/// numbers. Throws TraceError for an invalid failure record.
SummaryRow RowOfFile(const std::filesystem::path& file, const LogFn& log, std::optional<double> target);

/// Reads the row of a trial in a segment into `row`, whose memory it reuses. Throws TraceError if the text is
/// not such a row.
void ParseRow(std::string_view text, SummaryRow& row);

/// The row of a planned trial without numbers.
SummaryRow RowOf(const PlanEntry& entry, const std::string& experiment, const std::string& status);

/// The row as JSON without the values that differ between equal trials: times, kernel_share, memory, and the
/// numbers of computed kernel evaluations and terms.
std::string ReproducibleText(SummaryRow row);

/// Whether the row has numbers.
bool HasNumbers(const SummaryRow& row);

/// A value of the row's `measures`, such as "auc@1000"; null if there is none.
nlohmann::json MeasureOf(const SummaryRow& row, const std::string& name);

/// Requested kernel evaluations at the first recorded step after which the average error stays below `error`.
/// The average error is mistakes / counted examples. Nothing if the final error is not below, for regression,
/// and for traces without provenance `counted`. Throws TraceError if a column of counts is missing, and
/// json::exception if summary or provenance is incomplete.
std::optional<std::uint64_t> CostToReach(const Trace& trace, double error);

}  // namespace okbench
