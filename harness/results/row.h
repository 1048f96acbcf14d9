#pragma once
// Row: the settings and results of one trial. Everything that shows results starts from rows.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/log.h"
#include "harness/results/plan_file.h"
#include "harness/trace/trace.h"

namespace okbench {

/// What is known of a field of a row.
struct RowField {
  const char* name;
  const char* meaning;  ///< with the unit
  /// Whether equal trials have equal values. Times, memory and counts that depend on batching do not.
  bool reproducible = true;
  /// Whether the field is part of the JSON of a row. The others follow from the folder of the result.
  bool stored = true;
};

/// One trial. A missing value is empty, or null. A row without a result has its settings and `status` only.
struct Row {
  std::string status = "ok";
  std::optional<std::string> id, setting, experiment, learner, key, grid_point;
  nlohmann::json parameters;  ///< object
  std::optional<std::uint64_t> batch, seed, fold;
  std::optional<std::string> data_set, data_digest, kernel, label;
  std::optional<bool> synthetic;
  std::optional<std::string> replacement;
  std::optional<std::uint64_t> examples;
  std::optional<double> error_rate, test_error, rmse, test_rmse;
  std::optional<std::uint64_t> margin_errors, support_vectors;
  nlohmann::json kernel_evaluations = {
      {"requested", nullptr}, {"computed", nullptr}, {"evaluation", nullptr}};
  nlohmann::json cost_to_reach;  ///< object {error, requested}
  nlohmann::json measures;       ///< object
  std::optional<std::string> counted;
  std::optional<double> wall_seconds, cpu_seconds;
  std::optional<std::uint64_t> learner_peak_bytes;
  std::optional<double> kernel_share;
  std::optional<std::string> trace_digest;
  std::optional<std::string> tier, overrides, file;
  /// Values of the summary that only some methods or outputs have, such as oracle_calls. Object.
  nlohmann::json other = nlohmann::json::object();

  bool HasNumbers() const { return status.starts_with("ok"); }
  nlohmann::json Json() const;
  bool operator==(const Row&) const = default;
};

/// Calls visit(RowField, value) for every field but `other`. This list is the only one of these fields.
template <MaybeConst<Row> Object, class Visit>
void VisitFields(Object& row, const Visit& visit) {
  visit(RowField{"status", "ok, ok (stale), stale, corrupt, missing, or failed: KIND"}, row.status);
  visit(RowField{"id", "16 hexadecimal digits: hash of the trial's spec, data and revisions"}, row.id);
  visit(RowField{"setting", "hash of the trial's spec without the seed"}, row.setting);
  visit(RowField{"experiment", "name in the spec"}, row.experiment);
  visit(RowField{"learner", "method"}, row.learner);
  visit(RowField{"key", "KEY of [learners.KEY] in the spec"}, row.key);
  visit(RowField{"grid_point", "values of the grid"}, row.grid_point);
  visit(RowField{"parameters", "parameters, also those chosen by validation, and kernel.NAME"},
        row.parameters);
  visit(RowField{"batch", "rows of a mini-batch"}, row.batch);
  visit(RowField{"seed", "repetition, from 0"}, row.seed);
  visit(RowField{"fold", "number of the fold of a cross validation"}, row.fold);
  visit(RowField{"data_set", "name in the catalog"}, row.data_set);
  visit(RowField{"data_digest", "digest of the training rows"}, row.data_digest);
  visit(RowField{"kernel", "kernel with its parameters"}, row.kernel);
  visit(RowField{"label", "name of the learner in figures"}, row.label);
  visit(RowField{"synthetic", "whether the data are generated in place of the named ones"}, row.synthetic);
  visit(RowField{"replacement", "title of the real data in place of the named ones"}, row.replacement);
  visit(RowField{"examples", "examples shown"}, row.examples);
  visit(RowField{"error_rate", "mistakes while learning / examples counted, in [0, 1]"}, row.error_rate);
  visit(RowField{"test_error", "errors of the last test / its rows, in [0, 1]"}, row.test_error);
  visit(RowField{"rmse", "root mean squared error while learning, in units of the target"}, row.rmse);
  visit(RowField{"test_rmse", "root mean squared error of the last test, in units of the target"},
        row.test_rmse);
  visit(RowField{"margin_errors", "examples with a margin below that of the loss"}, row.margin_errors);
  visit(RowField{"support_vectors", "rows that the final function keeps"}, row.support_vectors);
  visit(RowField{"kernel_evaluations", "requested by the method, computed, and for measuring (evaluation)"},
        row.kernel_evaluations);
  visit(RowField{"cost_to_reach", "evaluations and features requested until the error stays below `error`"},
        row.cost_to_reach);
  visit(RowField{"measures", "measures of predictions, by name"}, row.measures);
  visit(RowField{"counted", "'handed kernel' if the learner could also compute kernels by itself"},
        row.counted);
  visit(RowField{"wall_seconds", "seconds of learning", false}, row.wall_seconds);
  visit(RowField{"cpu_seconds", "processor seconds of learning", false}, row.cpu_seconds);
  visit(RowField{"learner_peak_bytes", "bytes: largest heap memory of the learner", false},
        row.learner_peak_bytes);
  visit(RowField{"kernel_share", "share of wall_seconds in the kernel engine, in [0, 1]", false},
        row.kernel_share);
  visit(RowField{"trace_digest", "SHA-256 of the deterministic columns of the trace"}, row.trace_digest);
  visit(RowField{"tier", "tier of the plan", true, false}, row.tier);
  visit(RowField{"overrides", "PATH=VALUE of --set, separated by spaces", true, false}, row.overrides);
  visit(RowField{"file", "path of the trace", false, false}, row.file);
}

/// The row of a trace, status "ok". `target`: adds the cost to reach this average error. Throws
/// json::exception or TraceError if an entry that every trial writes is missing or invalid.
Row RowOf(const Trace& trace, std::optional<double> target);

/// The row of the trace file or failure record of a trial. `log` receives the reason of a row without
/// numbers. Throws TraceError for an invalid failure record.
Row RowOfFile(const std::filesystem::path& file, const LogFn& log, std::optional<double> target);

/// The row of a trial in a segment. Throws TraceError if the text is not such a row. `scratch`: memory for
/// the parser, which is faster when it is used again.
Row ParseRow(std::string_view text, nlohmann::json& scratch);

/// The row of a planned trial without numbers. Parameters and label are set if PlanEntry::content is.
Row RowOf(const PlanEntry& entry, const std::string& experiment, const std::string& status);

/// The row as JSON without the values that differ between equal trials: RowField::reproducible, and the
/// numbers of computed kernel evaluations and terms.
std::string ReproducibleText(const Row& row);

/// Requested kernel evaluations at the first recorded step after which the average error stays below `error`.
/// The average error is mistakes / counted examples. Nothing if the final error is not below, for regression,
/// and for traces without provenance `counted`. Throws TraceError if a column of counts is missing, and
/// json::exception if summary or provenance is incomplete.
std::optional<std::uint64_t> CostToReach(const Trace& trace, double error);

}  // namespace okbench
