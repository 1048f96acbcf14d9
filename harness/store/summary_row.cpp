#include "harness/store/summary_row.h"

#include <algorithm>

#include "harness/plan/canonical.h"
#include "harness/spec/kernel_reader.h"
#include "harness/store/json_file.h"
#include "harness/store/result_files.h"
#include "harness/store/result_folder.h"
#include "harness/store/verify.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json EmptyRow(const std::string& status) {
  return {{"id", nullptr},
          {"setting", nullptr},
          {"experiment", nullptr},
          {"learner", nullptr},
          {"key", nullptr},
          {"grid_point", nullptr},
          {"parameters", nullptr},
          {"batch", nullptr},
          {"seed", nullptr},
          {"fold", nullptr},
          {"data_set", nullptr},
          {"data_digest", nullptr},
          {"kernel", nullptr},
          {"label", nullptr},
          {"kernel_share", nullptr},
          {"synthetic", nullptr},
          {"replacement", nullptr},
          {"status", status},
          {"examples", nullptr},
          {"error_rate", nullptr},
          {"test_error", nullptr},
          {"rmse", nullptr},
          {"test_rmse", nullptr},
          {"margin_errors", nullptr},
          {"support_vectors", nullptr},
          {"wall_seconds", nullptr},
          {"cpu_seconds", nullptr},
          {"learner_peak_bytes", nullptr},
          {"cost_to_reach", nullptr},
          {"trace_digest", nullptr},
          {"counted", nullptr},
          {"measures", nullptr},
          {"kernel_evaluations", {{"requested", nullptr}, {"computed", nullptr}, {"evaluation", nullptr}}}};
}

// Return the value of a key. Throw TraceError for another type, and json::exception for a missing key.
json IntegerNumber(const json& of, const char* key) {
  if (!of.at(key).is_number_unsigned()) throw TraceError(std::string(key) + " is not an integer");
  return of.at(key);
}

json NumberOrNone(const json& of, const char* key) {
  if (!of.at(key).is_number() && !of.at(key).is_null())
    throw TraceError(std::string(key) + " is not a number");
  return of.at(key);
}

// The values of an integer column of `table`. Throws TraceError if it is missing or real.
std::span<const std::int64_t> CountsOf(const Table& table, const std::string& name) {
  const Column* column = table.Find(name);
  const auto* counts = column == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&column->values);
  if (counts == nullptr) throw TraceError("a trace has no column '" + name + "' of integers");
  return *counts;
}

// Number of examples over which the mistakes in each row of the table were counted.
std::vector<double> Counted(const Trace& trace, const Table& table) {
  if (trace.provenance.at("counted") == kCountedTraining)
    return std::vector<double>(table.rows(), trace.provenance.at("data_shape").at("train").get<double>());
  const std::span<const std::int64_t> shown =
      CountsOf(table, table.Find("examples") != nullptr ? "examples" : "step");
  return {shown.begin(), shown.end()};
}

}  // namespace

bool HasNumbers(const SummaryRow& row) {
  return row["status"].get_ref<const std::string&>().starts_with("ok");
}

json MeasureOf(const SummaryRow& row, const std::string& name) {
  const json& measures = row["measures"];
  return measures.is_object() ? measures.value(name, json()) : json();
}

std::optional<std::uint64_t> CostToReach(const Trace& trace, double error) {
  const Table* table = trace.Find("trace");
  // Traces without `counted` do not define the denominator of the average error.
  if (table == nullptr || trace.summary.at("error_rate").is_null() || !trace.provenance.contains("counted") ||
      table->rows() == 0)
    return std::nullopt;
  const std::span<const std::int64_t> mistakes = CountsOf(*table, "mistakes");
  const std::span<const std::int64_t> requested = CountsOf(*table, "kernel_requested");
  const std::vector<double> counted = Counted(trace, *table);
  std::optional<std::uint64_t> cost;
  for (std::size_t t = mistakes.size(); t-- > 0;) {
    if (!(static_cast<double>(mistakes[t]) < error * counted[t])) break;
    cost = static_cast<std::uint64_t>(requested[t]);
  }
  return cost;
}

SummaryRow RowOf(const Trace& trace, std::optional<double> target) {
  json row = EmptyRow("ok");
  row["id"] = trace.trial_id;
  row["experiment"] = trace.spec.at("experiment").get<std::string>();
  row["learner"] = trace.spec.at("learner").get<std::string>();
  row["key"] = trace.provenance.at("learner_key").get<std::string>();
  row["grid_point"] = trace.provenance.at("grid_point").get<std::string>();
  row["parameters"] = trace.spec.at("parameters").get<json::object_t>();
  const json kernel_point = trace.spec.value("kernel_point", json::object());
  for (const auto& [key, value] : kernel_point.items()) row["parameters"][kKernelAxis + key] = value;
  if (trace.summary.contains("tuned")) row["parameters"].update(trace.summary.at("tuned").at("chosen"));
  row["seed"] = IntegerNumber(trace.spec, "repetition");
  const json& data = trace.spec.at("data");
  row["batch"] = data.value("batch", json());
  if (data.contains("delay")) row["delay"] = data.at("delay");
  if (data.contains("fold")) row["fold"] = data.at("fold").at("fold");
  if (trace.spec.contains("search")) row["fold"] = trace.spec.at("repetition");
  json setting = trace.spec;
  setting.erase("repetition");
  row["setting"] = TrialId(setting);
  row["data_set"] = data.at("name").get<std::string>();
  row["data_digest"] = data.at("digest");
  row["synthetic"] = trace.provenance.at("synthetic");
  row["replacement"] = trace.provenance.value("replacement", json());
  row["kernel"] = trace.provenance.at("kernel");
  if (target) {
    const auto cost = CostToReach(trace, *target);
    row["cost_to_reach"] = {{"error", *target}, {"requested", cost ? json(*cost) : json()}};
  }
  for (const char* key : {"examples", "margin_errors"}) row[key] = trace.summary.at(key);
  for (const char* key : {"error_rate", "test_error"}) row[key] = NumberOrNone(trace.summary, key);
  row["support_vectors"] = IntegerNumber(trace.summary, "support_vectors");
  row["kernel_evaluations"] = trace.summary.at("kernel_evaluations").get<json::object_t>();
  for (const char* kind : {"requested", "computed", "evaluation"})
    IntegerNumber(row["kernel_evaluations"], kind);
  for (const char* key : {"rmse", "test_rmse"})
    if (trace.summary.contains(key)) row[key] = NumberOrNone(trace.summary, key);
  for (const char* key : {"counted", "measures"})
    if (trace.summary.contains(key)) row[key] = trace.summary.at(key);
  // Values of a single method or output, such as oracle_calls.
  for (const auto& [key, value] : trace.summary.items())
    if (!row.contains(key)) row[key] = value;
  row["label"] = trace.provenance.value("label", json());
  row["wall_seconds"] = trace.provenance.at("wall_seconds");
  // Older traces lack these.
  for (const char* key : {"cpu_seconds", "learner_peak_bytes", "kernel_share"})
    row[key] = trace.provenance.value(key, json());
  row["trace_digest"] = trace.Digest();
  return row;
}

void ParseRow(std::string_view text, SummaryRow& row) {
  ParseJsonInto(text, row);
  const auto fail = [] { throw TraceError("not a summary row"); };
  if (!row.is_object()) fail();
  static const json keys = EmptyRow("ok");
  const auto& members = row.get_ref<const json::object_t&>();
  const auto& expected = keys.get_ref<const json::object_t&>();
  if (!std::ranges::includes(members, expected, {}, &json::object_t::value_type::first,
                             &json::object_t::value_type::first))
    fail();
  for (const char* key : {"id", "setting", "experiment", "learner", "key", "grid_point"})
    if (!row[key].is_string()) fail();
  if (row["status"] != "ok" || !row["parameters"].is_object() || !row["kernel_evaluations"].is_object() ||
      !row["cost_to_reach"].is_null() || !(row["measures"].is_object() || row["measures"].is_null()))
    fail();
  for (const char* kind : {"requested", "computed", "evaluation"})
    if (!row["kernel_evaluations"].contains(kind) || !row["kernel_evaluations"][kind].is_number_unsigned())
      fail();
  for (const char* key : {"seed", "support_vectors"}) IntegerNumber(row, key);
  for (const char* key : {"error_rate", "test_error", "rmse", "test_rmse", "wall_seconds"})
    NumberOrNone(row, key);
}

std::string ReproducibleText(SummaryRow row) {
  for (const char* key : {"wall_seconds", "cpu_seconds", "learner_peak_bytes", "kernel_share"})
    row.erase(key);
  for (const char* path : {"/kernel_evaluations", "/tuned/kernel_evaluations"}) {
    const json::json_pointer counts(path);
    if (!row.contains(counts) || !row[counts].is_object()) continue;
    for (const char* key : {"computed", "terms"}) row[counts].erase(key);
  }
  return row.dump();
}

SummaryRow RowOf(const PlanEntry& entry, const std::string& experiment, const std::string& status) {
  json row = EmptyRow(status);
  row["id"] = entry.id;
  row["experiment"] = experiment;
  row["key"] = entry.learner_key;
  row["grid_point"] = entry.grid_point;
  row["seed"] = entry.repetition;
  row["fold"] = entry.fold ? json(*entry.fold) : json();
  row["data_set"] = entry.data;
  row["batch"] = entry.batch;
  return row;
}

namespace {

json TraceRow(const fs::path& path, const LogFn& log, std::optional<double> target) {
  Trace trace;
  try {
    trace = ReadVerifiedTrace(path.string());
  } catch (const TraceError& error) {
    log(error.what());
    return EmptyRow("corrupt");
  }
  try {
    return RowOf(trace, target);
  } catch (const json::exception&) {
    log(path.string() + ": not the trace of a trial: its spec, summary or provenance is incomplete");
  } catch (const TraceError& error) {
    log(path.string() + ": not the trace of a trial: " + error.what());
  }
  return EmptyRow("corrupt");
}

json FailureRow(const fs::path& path, const LogFn& log) try {
  const json record = ReadJson(path);
  json row = EmptyRow("failed: " + record.at("kind").get<std::string>());
  for (const char* key : {"experiment", "learner", "parameters", "data_set", "synthetic"})
    row[key] = record.at(key);
  row["seed"] = record.at("repetition");
  // Optional: records of other programs may lack these keys.
  row["id"] = record.value("trial_id", json());
  row["key"] = record.value("learner_key", json());
  for (const char* key : {"grid_point", "batch", "fold"}) row[key] = record.value(key, json());
  const std::string line =
      record.at("name").get<std::string>() + ": " + record.at("message").get<std::string>();
  log(line);
  return row;
} catch (const json::exception&) {
  throw TraceError(path.string() + ": not a valid failure record");
}

}  // namespace

SummaryRow RowOfFile(const fs::path& file, const LogFn& log, std::optional<double> target) {
  if (IsFailureRecord(file)) return FailureRow(file, log);
  return HasTrace(file) ? TraceRow(file, log, target) : FailureRow(FailureFile(file), log);
}

}  // namespace okbench
