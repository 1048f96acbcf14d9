#include "harness/store/summary.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

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
          {"synthetic", nullptr},
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
  json setting = trace.spec;
  setting.erase("repetition");
  row["setting"] = TrialId(setting);
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
  for (const char* key : {"counted", "measures"})
    if (trace.summary.contains(key)) row[key] = trace.summary.at(key);
  // Values of a single method or output, such as oracle_calls.
  for (const auto& [key, value] : trace.summary.items())
    if (!row.contains(key) && key != "tuned") row[key] = value;
  row["wall_seconds"] = trace.provenance.at("wall_seconds");
  // Older traces lack these.
  for (const char* key : {"cpu_seconds", "learner_peak_bytes"})
    row[key] = trace.provenance.value(key, json());
  row["trace_digest"] = trace.Digest();
  return row;
}

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

json Row(const fs::path& file, const LogFn& log, std::optional<double> target) {
  if (IsFailureRecord(file)) return FailureRow(file, log);
  return HasTrace(file) ? TraceRow(file, log, target) : FailureRow(FailureFile(file), log);
}

// Row of a planned trial without numbers.
json PlannedRow(const json& plan_entry, const std::string& experiment, const std::string& status) {
  json row = EmptyRow(status);
  const json& axes = plan_entry.at("axes");
  row["id"] = plan_entry.at("id");
  row["experiment"] = experiment;
  row["key"] = plan_entry.at("learner_key");
  row["grid_point"] = plan_entry.at("grid_point");
  row["seed"] = plan_entry.at("repetition");
  row["fold"] = plan_entry.at("fold");
  row["data_set"] = axes.at("data");
  row["batch"] = axes.at("batch");
  return row;
}

// Logs the number of traces in a folder that its plan does not name.
void ReportForeignFiles(const fs::path& folder, const LogFn& log) {
  if (const std::size_t count = OutsidePlan(folder); count > 0)
    log(folder.string() + ": " + std::to_string(count) + (count == 1 ? " result does" : " results do") +
        " not belong to its plan (other revisions, data or settings); ignored");
}

// Makes the rows of one call. Each trial id counts once.
class Summary {
 public:
  Summary(const SummaryRequest& request, const LogFn& log) : request_(request), log_(log) {}

  void AddFile(const fs::path& file) { Add(Row(file, log_, request_.target)); }

  // A folder with a plan: one row per planned trial.
  void AddPlanned(const fs::path& folder, const std::vector<PlannedFile>& planned) {
    ReportForeignFiles(folder, log_);
    const std::map<std::string, std::string> stale = StaleTrials(folder);
    const std::string experiment = ReadJson(folder / "plan.json").at("experiment");
    std::vector<std::string> missing, stale_names;
    for (const auto& [file, trial] : planned) {
      const std::string id = trial.at("id"), name = trial.at("name");
      if (!HasTrace(file)) {
        const bool failed = fs::exists(FailureFile(file));
        Add(failed ? FailureRow(FailureFile(file), log_) : PlannedRow(trial, experiment, "missing"));
        if (!failed) missing.push_back(name);
        continue;
      }
      const auto reason = stale.find(id);
      if (reason != stale.end()) stale_names.push_back(name + " (" + reason->second + ")");
      if (reason != stale.end() && !request_.stale) {
        Add(PlannedRow(trial, experiment, "stale"));
        continue;
      }
      json row = Row(file, log_, request_.target);
      if (row["status"] == "ok" && row["id"] != id) {
        log_(file.string() + ": belongs to trial " + row["id"].get<std::string>() + ", the plan says " + id);
        row = PlannedRow(trial, experiment, "corrupt");
      }
      if (row["status"] == "corrupt") row = PlannedRow(trial, experiment, "corrupt");
      if (row["status"] == "ok" && reason != stale.end()) row["status"] = "ok (stale)";
      Add(std::move(row));
    }
    Report(folder, planned.size(), missing, "without a result");
    Report(folder, planned.size(), stale_names,
           request_.stale ? "stale, accepted" : "stale (rerun them, or accept them with --stale)");
  }

  std::vector<SummaryRow> Take() { return std::move(rows_); }

 private:
  void Add(json row) {
    if (row["id"].is_null()) {
      rows_.push_back(std::move(row));
      return;
    }
    // A row with numbers replaces one without.
    const auto [place, is_new] = places_.try_emplace(row["id"].get<std::string>(), rows_.size());
    if (is_new)
      rows_.push_back(std::move(row));
    else if (HasNumbers(row) && !HasNumbers(rows_[place->second]))
      rows_[place->second] = std::move(row);
  }

  // Logs how many trials of a folder have a problem, with the names of the first three.
  void Report(const fs::path& folder, std::size_t planned, const std::vector<std::string>& names,
              const std::string& problem) const {
    if (names.empty()) return;
    std::string text = folder.string() + ": " + std::to_string(names.size()) + " of " +
                       std::to_string(planned) + " planned trials " + problem + ": ";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i)
      text += (i > 0 ? ", " : "") + names[i];
    log_(text + (names.size() > 3 ? ", ..." : ""));
  }

  const SummaryRequest& request_;
  const LogFn& log_;
  std::vector<SummaryRow> rows_;
  std::map<std::string, std::size_t> places_;  // by trial id
};

}  // namespace

json MeasureOf(const SummaryRow& row, const std::string& name) {
  const json& measures = row["measures"];
  return measures.is_object() ? measures.value(name, json()) : json();
}

bool HasNumbers(const SummaryRow& row) { return row["status"].get<std::string>().starts_with("ok"); }

std::vector<SummaryRow> Summarise(const SummaryRequest& request, const LogFn& log) {
  Summary summary(request, log);
  bool found = false;
  for (const std::string& path : request.paths) {
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
    const std::vector<fs::path> files =
        fs::is_directory(path) ? ResultsBelow(path, request.folds) : std::vector<fs::path>{path};
    found = found || !files.empty();
    std::set<fs::path> folders;  // whose plan has been used
    for (const fs::path& file : files) {
      if (folders.contains(file.parent_path())) continue;
      const auto planned =
          fs::is_directory(path) ? ReadPlannedFiles(file.parent_path(), request.folds) : std::nullopt;
      if (!planned) {
        summary.AddFile(file);
        continue;
      }
      folders.insert(file.parent_path());
      try {
        summary.AddPlanned(file.parent_path(), *planned);
      } catch (const json::exception&) {
        throw TraceError((file.parent_path() / "plan.json").string() +
                         ": not a valid plan; okbench run rewrites it");
      }
    }
  }
  if (!found) throw SpecError("no results here; okbench run makes some");
  return summary.Take();
}

}  // namespace okbench
