#include "harness/store/summary.h"

#include <filesystem>
#include <set>

#include "harness/spec/kernel_reader.h"
#include "harness/store/json_file.h"
#include "harness/store/result_files.h"
#include "harness/store/result_folder.h"
#include "harness/store/trace_file.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json EmptyRow(const std::string& status) {
  return {{"id", nullptr},
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
          {"synthetic", nullptr},
          {"status", status},
          {"examples", nullptr},
          {"error_rate", nullptr},
          {"test_error", nullptr},
          {"rmse", nullptr},
          {"test_rmse", nullptr},
          {"task_loss", nullptr},
          {"test_task_loss", nullptr},
          {"oracle_calls", nullptr},
          {"boxes_scored", nullptr},
          {"feature_evaluations", nullptr},
          {"recall_area", nullptr},
          {"bounds", nullptr},
          {"margin_errors", nullptr},
          {"support_vectors", nullptr},
          {"wall_seconds", nullptr},
          {"cost_to_reach", nullptr},
          {"trace_digest", nullptr},
          {"counted", nullptr},
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

// The row of a trace. Throws json::exception or TraceError if an entry that every trial writes is invalid.
json RowOf(const Trace& trace, std::optional<double> target) {
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
  if (data.contains("fold")) row["fold"] = data.at("fold").at("fold");
  if (trace.spec.contains("search")) row["fold"] = trace.spec.at("repetition");
  row["data_set"] = data.at("name").get<std::string>();
  row["data_digest"] = data.at("digest");
  row["synthetic"] = trace.provenance.at("synthetic");
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
  for (const char* key : {"task_loss", "test_task_loss", "oracle_calls", "boxes_scored",
                          "feature_evaluations", "recall_area", "bounds", "counted"})
    if (trace.summary.contains(key)) row[key] = trace.summary.at(key);
  row["wall_seconds"] = trace.provenance.at("wall_seconds");
  row["trace_digest"] = trace.Digest();
  return row;
}

json TraceRow(const fs::path& path, const LogFn& log, std::optional<double> target) {
  Trace trace;
  try {
    trace = ReadTrace(path.string());
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

json Row(const fs::path& file, const LogFn& log, std::optional<double> target) {
  if (IsFailureRecord(file)) return FailureRow(file, log);
  return HasTrace(file) ? TraceRow(file, log, target) : FailureRow(FailureFile(file), log);
}

// Logs the number of traces in each folder that its plan does not name.
void ReportForeignFiles(const std::vector<fs::path>& files, const LogFn& log) {
  std::set<fs::path> folders;
  for (const fs::path& file : files)
    if (folders.insert(file.parent_path()).second)
      if (const std::size_t count = OutsidePlan(file.parent_path()); count > 0)
        log(file.parent_path().string() + ": " + std::to_string(count) +
            (count == 1 ? " result does" : " results do") +
            " not belong to its plan (other revisions, data or settings); ignored");
}

}  // namespace

std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds, const LogFn& log,
                                  std::optional<double> target) {
  std::vector<SummaryRow> rows;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
    const std::vector<fs::path> files =
        fs::is_directory(path) ? ResultsBelow(path, folds) : std::vector<fs::path>{path};
    if (fs::is_directory(path)) ReportForeignFiles(files, log);
    for (const fs::path& file : files) rows.push_back(Row(file, log, target));
  }
  if (rows.empty()) throw SpecError("no results here; okbench run makes some");
  return rows;
}

}  // namespace okbench
