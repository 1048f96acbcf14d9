// `okbench summary PATH...`: a row a trial.

#include "harness/store/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "harness/commands/printing.h"
#include "harness/commands/verb.h"

namespace okbench {
namespace {

using nlohmann::json;

struct SummaryOptions {
  std::vector<std::string> paths;
  bool json = false;
  bool folds = false;
};

std::string Cell(const json& value, const char* format = "{}") {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format(fmt::runtime(format), value.get<double>());
  return value.dump();
}

// An error rate in percent, or the root mean squared error of regression.
std::string Error(const json& rate, const json& rmse) {
  if (!rmse.is_null()) return fmt::format("rmse {:.4g}", rmse.get<double>());
  return rate.is_null() ? "-" : fmt::format("{:.2f}", 100 * rate.get<double>());
}

// What a spec may vary within one experiment and learner, by name.
json Axes(const json& row) {
  json axes = row["parameters"].is_object() ? row["parameters"] : json::object();
  for (const char* name : {"batch", "fold"}) axes[name] = row[name];
  return axes;
}

// The axes in which the rows of one experiment and learner differ.
std::set<std::string> Varying(const std::vector<SummaryRow>& rows, const json& row) {
  std::map<std::string, std::set<std::string>> values;
  for (const json& other : rows) {
    if (other["experiment"] != row["experiment"] || other["learner"] != row["learner"]) continue;
    const json axes = Axes(other);
    for (const auto& [name, value] : axes.items()) values[name].insert(value.dump());
  }
  std::set<std::string> varying;
  for (const auto& [name, seen] : values)
    if (seen.size() > 1) varying.insert(name);
  return varying;
}

std::string Parameters(const std::vector<SummaryRow>& rows, const json& row) {
  std::string text;
  const json axes = Axes(row);
  for (const std::string& name : Varying(rows, row))
    if (axes.contains(name)) text += (text.empty() ? "" : " ") + name + "=" + Cell(axes[name], "{:.6g}");
  return text.empty() ? "-" : text;
}

void PrintSummary(const std::vector<SummaryRow>& rows) {
  std::vector<std::vector<std::string>> table = {
      {"experiment", "learner", "parameters", "seed", "data set", "status", "examples", "error %", "test %",
       "margin errors", "SVs", "requested", "computed", "evaluation", "wall s", "digest"}};
  for (const json& row : rows) {
    const json& counts = row["kernel_evaluations"];
    const std::string digest = Cell(row["trace_digest"]);
    const bool stand_in = row["stand_in"].is_boolean() && row["stand_in"].get<bool>();
    table.push_back({Cell(row["experiment"]), Cell(row["learner"]), Parameters(rows, row), Cell(row["seed"]),
                     Cell(row["data_set"]) + (stand_in ? " (STAND-IN)" : ""), Cell(row["status"]),
                     Cell(row["examples"]), Error(row["error_rate"], row["rmse"]),
                     Error(row["test_error"], row["test_rmse"]), Cell(row["margin_errors"]),
                     Cell(row["support_vectors"]), Cell(counts["requested"]), Cell(counts["computed"]),
                     Cell(counts["evaluation"]), Cell(row["wall_seconds"], "{:.3f}"), digest.substr(0, 12)});
  }
  PrintColumns(table);
}

// 1 when a trial has no valid result.
int ShowSummary(const SummaryOptions& options) {
  const std::vector<SummaryRow> rows = Summarise(options.paths, options.folds, PrintErrorLine);
  if (options.json)
    fmt::print("{}\n", json{{"format", 1}, {"trials", rows}}.dump(1));
  else
    PrintSummary(rows);
  return std::all_of(rows.begin(), rows.end(), [](const json& row) { return row["status"] == "ok"; }) ? 0 : 1;
}

}  // namespace

Verb AddSummary(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "summary", "One row a trial: errors, support vectors, kernel evaluations, digest");
  const auto options = std::make_shared<SummaryOptions>();
  AddOption(*verb, "path", options->paths, "Trace files or result folders", {.required = true});
  AddJson(*verb, options->json);
  AddFlag(*verb, "--folds", options->folds, "With the trials of cross validation");
  return {verb, [options] { return ShowSummary(*options); }};
}

}  // namespace okbench
