// `okbench summary PATH...`: a row a trial, or the means over seeds.

#include "harness/store/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "harness/cli/printing.h"
#include "harness/cli/verb.h"

namespace okbench {
namespace {

using nlohmann::json;

struct SummaryOptions {
  std::vector<std::string> paths;
  bool json = false;
  bool folds = false;
  bool mean = false;
  bool best = false;
  double target = 0;  // none
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

// "12.5 +- 0.3", without the spread where there is one seed alone, or none.
std::string Mean(const json& value, double scale, const char* format) {
  if (value.is_null()) return "-";
  const auto text = [&](const json& number) {
    return fmt::format(fmt::runtime(format), scale * number.get<double>());
  };
  const json& deviation = value["deviation"];
  return text(value["mean"]) + (deviation.is_null() || deviation == 0.0 ? "" : " +- " + text(deviation));
}

std::string MeanError(const json& rate, const json& rmse) {
  return rmse.is_null() ? Mean(rate, 100, "{:.2f}") : "rmse " + Mean(rmse, 1, "{:.4g}");
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

std::string DataSet(const json& row) {
  const bool synthetic = row["synthetic"].is_boolean() && row["synthetic"].get<bool>();
  return Cell(row["data_set"]) + (synthetic ? " (SYNTHETIC)" : "");
}

std::string Target(double error) { return fmt::format("to {:g} %", 100 * error); }

// What it took to reach the target; learners that never did, and those whose traces cannot tell, have none.
std::string Reached(const json& row) {
  const json& cost = row["cost_to_reach"];
  if (cost.is_null() || cost["requested"].is_null()) return "-";
  const json& requested = cost["requested"];
  return requested.is_object() ? Mean(requested, 1, "{:.0f}") : Cell(requested);
}

// Marked where the method was not held to the engine.
std::string Requested(const std::string& text, const json& row) {
  return text + (row["counted"].is_null() ? "" : " (handed)");
}

// What the mark means, below the table.
void ExplainMarks(const std::vector<SummaryRow>& rows) {
  if (std::any_of(rows.begin(), rows.end(), [](const json& row) { return !row["counted"].is_null(); }))
    fmt::print(
        "(handed): counted are values of the kernel that the learner was handed, and none that it computes "
        "by "
        "itself\n");
}

void PrintSummary(const std::vector<SummaryRow>& rows, double target) {
  std::vector<std::vector<std::string>> table = {{"experiment", "learner", "parameters", "seed", "data set",
                                                  "kernel", "batch", "status", "examples", "error %",
                                                  "test %", "margin errors", "SVs", "requested", "computed",
                                                  "evaluation", "wall s", "digest"}};
  if (target > 0) table[0].insert(table[0].end() - 1, Target(target));
  for (const json& row : rows) {
    const json& counts = row["kernel_evaluations"];
    const std::string digest = Cell(row["trace_digest"]);
    table.push_back({Cell(row["experiment"]), Cell(row["learner"]), Parameters(rows, row), Cell(row["seed"]),
                     DataSet(row), Cell(row["kernel"]), Cell(row["batch"]), Cell(row["status"]),
                     Cell(row["examples"]), Error(row["error_rate"], row["rmse"]),
                     Error(row["test_error"], row["test_rmse"]), Cell(row["margin_errors"]),
                     Cell(row["support_vectors"]), Requested(Cell(counts["requested"]), row),
                     Cell(counts["computed"]), Cell(counts["evaluation"]),
                     Cell(row["wall_seconds"], "{:.3f}"), digest.substr(0, 12)});
    if (target > 0) table.back().insert(table.back().end() - 1, Reached(row));
  }
  PrintColumns(table);
  ExplainMarks(rows);
}

void PrintMeans(const std::vector<SummaryRow>& groups, double target) {
  std::vector<std::vector<std::string>> table = {{"experiment", "learner", "grid point", "data set", "seeds",
                                                  "error %", "test %", "SVs", "requested", "computed",
                                                  "wall s"}};
  if (target > 0) table[0].push_back(Target(target));
  for (const json& group : groups) {
    const json& counts = group["kernel_evaluations"];
    const auto failed = group["failed"].get<std::size_t>();
    std::string grid = Cell(group["grid_point"]);
    if (group.contains("points") && group["points"] > 1)
      grid += fmt::format(" (best of {})", Cell(group["points"]));
    table.push_back({Cell(group["experiment"]), Cell(group["key"]), grid.empty() ? "-" : grid, DataSet(group),
                     Cell(group["seeds"]) + (failed > 0 ? fmt::format(" ({} failed)", failed) : ""),
                     MeanError(group["error_rate"], group["rmse"]),
                     MeanError(group["test_error"], group["test_rmse"]),
                     Mean(group["support_vectors"], 1, "{:.0f}"),
                     Requested(Mean(counts["requested"], 1, "{:.4g}"), group),
                     Mean(counts["computed"], 1, "{:.4g}"), Mean(group["wall_seconds"], 1, "{:.3g}")});
    if (target > 0) table.back().push_back(Reached(group));
  }
  PrintColumns(table);
  ExplainMarks(groups);
}

// 1 when a trial has no valid result.
int ShowSummary(const SummaryOptions& options) {
  const std::vector<SummaryRow> rows =
      Summarise(options.paths, options.folds, PrintErrorLine,
                options.target > 0 ? std::optional(options.target) : std::nullopt);
  const bool averaged = options.mean || options.best;
  std::vector<SummaryRow> told = averaged ? MeansOver(rows) : rows;
  if (options.best) told = BestOf(told);
  if (options.json)
    fmt::print("{}\n", json{{"format", 1}, {averaged ? "means" : "trials", told}}.dump(1));
  else if (averaged)
    PrintMeans(told, options.target);
  else
    PrintSummary(told, options.target);
  return std::all_of(rows.begin(), rows.end(), [](const json& row) { return row["status"] == "ok"; }) ? 0 : 1;
}

}  // namespace

Verb AddSummary(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "summary", "Print errors, support vectors and evaluations of every trial",
                           "okbench summary results/default --mean --target 0.05");
  const auto options = std::make_shared<SummaryOptions>();
  AddOption(*verb, "path", options->paths, "Trace files or result folders", {.required = true});
  AddJson(*verb, options->json);
  AddFlag(*verb, "--folds", options->folds, "With the trials of cross validation");
  AddFlag(*verb, "--mean", options->mean,
          "Mean +- standard deviation over seeds, a row a learner and grid point");
  AddFlag(*verb, "--best", options->best,
          "As --mean, of each learner's grid points on a data set only that with the least (test) error");
  AddOption(*verb, "--target", options->target,
            "Also the requested kernel evaluations until the average error stays below this, e.g. 0.2",
            {.range = {{1e-9, 1}}});
  return {verb, [options] { return ShowSummary(*options); }};
}

}  // namespace okbench
