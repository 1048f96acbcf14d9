#include "harness/store/summary.h"

#include <filesystem>
#include <set>

#include "harness/spec/kernel_reader.h"
#include "harness/store/json_file.h"
#include "harness/store/result_files.h"
#include "harness/store/result_folder.h"
#include "harness/store/trace_file.h"
#include "harness/system/error.h"

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
          {"stand_in", nullptr},
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

json TraceRow(const fs::path& path, const Say& say, std::optional<double> target) {
  Trace trace;
  try {
    trace = ReadTrace(path.string());
  } catch (const TraceError& error) {
    say(error.what());
    return EmptyRow("corrupt");
  }
  json row = EmptyRow("ok");
  row["id"] = trace.trial_id;
  row["experiment"] = trace.spec["experiment"];
  row["learner"] = trace.spec["learner"];
  row["key"] = trace.provenance["learner_key"];
  row["grid_point"] = trace.provenance["grid_point"];
  row["parameters"] = trace.spec["parameters"];
  const json kernel_point = trace.spec.value("kernel_point", json::object());
  for (const auto& [key, value] : kernel_point.items()) row["parameters"][kKernelAxis + key] = value;
  if (trace.summary.contains("tuned")) row["parameters"].update(trace.summary["tuned"]["chosen"]);
  row["seed"] = trace.spec["repetition"];
  const json& data = trace.spec["data"];
  row["batch"] = data.value("batch", json());
  if (data.contains("fold")) row["fold"] = data["fold"]["fold"];
  if (trace.spec.contains("search")) row["fold"] = trace.spec["repetition"];
  row["data_set"] = data["name"];
  row["data_digest"] = data["digest"];
  row["stand_in"] = trace.provenance["stand_in"];
  row["kernel"] = trace.provenance["kernel"];
  if (target) {
    const auto cost = CostToReach(trace, *target);
    row["cost_to_reach"] = {{"error", *target}, {"requested", cost ? json(*cost) : json()}};
  }
  for (const char* key :
       {"examples", "error_rate", "test_error", "margin_errors", "support_vectors", "kernel_evaluations"})
    row[key] = trace.summary[key];
  for (const char* key : {"rmse", "test_rmse", "task_loss", "test_task_loss", "oracle_calls", "boxes_scored",
                          "feature_evaluations", "recall_area", "bounds", "counted"})
    if (trace.summary.contains(key)) row[key] = trace.summary[key];
  row["wall_seconds"] = trace.provenance["wall_seconds"];
  row["trace_digest"] = trace.Digest();
  return row;
}

json FailureRow(const fs::path& path, const Say& say) try {
  const json record = ReadJson(path);
  json row = EmptyRow("failed: " + record.at("kind").get<std::string>());
  for (const char* key : {"experiment", "learner", "parameters", "data_set", "stand_in"})
    row[key] = record.at(key);
  row["seed"] = record.at("repetition");
  // Records of other programs may not have them.
  row["id"] = record.value("trial_id", json());
  row["key"] = record.value("learner_key", json());
  for (const char* key : {"grid_point", "batch", "fold"}) row[key] = record.value(key, json());
  const std::string line =
      record.at("name").get<std::string>() + ": " + record.at("message").get<std::string>();
  say(line);
  return row;
} catch (const json::exception&) {
  throw TraceError(path.string() + ": not a valid failure record");
}

json Row(const fs::path& file, const Say& say, std::optional<double> target) {
  if (IsFailureRecord(file)) return FailureRow(file, say);
  return HasTrace(file) ? TraceRow(file, say, target) : FailureRow(FailureFile(file), say);
}

// Names what lies beside the results of a plan.
void TellOutsiders(const std::vector<fs::path>& files, const Say& say) {
  std::set<fs::path> folders;
  for (const fs::path& file : files)
    if (folders.insert(file.parent_path()).second)
      if (const std::size_t count = OutsidePlan(file.parent_path()); count > 0)
        say(file.parent_path().string() + ": " + std::to_string(count) +
            (count == 1 ? " result is" : " results are") +
            " not of its plan (other revisions, data or settings); left out");
}

}  // namespace

std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds, const Say& say,
                                  std::optional<double> target) {
  std::vector<SummaryRow> rows;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
    const std::vector<fs::path> files =
        fs::is_directory(path) ? ResultsBelow(path, folds) : std::vector<fs::path>{path};
    if (fs::is_directory(path)) TellOutsiders(files, say);
    for (const fs::path& file : files) rows.push_back(Row(file, say, target));
  }
  if (rows.empty()) throw SpecError("no results here; okbench run makes some");
  return rows;
}

}  // namespace okbench
