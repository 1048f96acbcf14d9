// `okbench summary PATH...`: prints one row per trial, or means over seeds.

#include "harness/store/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "harness/cli/printing.h"
#include "harness/cli/python_verbs.h"
#include "harness/cli/verb.h"
#include "harness/store/summary_means.h"
#include "learners/core/environment.h"
#include "learners/core/error.h"
#include "learners/core/nearest.h"

namespace okbench {
namespace {

using nlohmann::json;

struct SummaryOptions {
  std::vector<std::string> paths;
  bool json = false;
  bool folds = false;
  bool mean = false;
  bool best = false;
  bool stale = false;
  double target = 0;  // average error in (0, 1]; 0: none
  std::vector<std::string> measures;
  bool costs = false;
  bool csv = false;
  bool tex = false;
  int width = -1;  // characters; -1: that of the terminal, 0: any
};

std::size_t WidthOf(const SummaryOptions& options) {
  return options.width < 0 ? TerminalWidth() : static_cast<std::size_t>(options.width);
}

std::string Cell(const json& value, const char* format = "{}") {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format(fmt::runtime(format), value.get<double>());
  return value.dump();
}

// An error rate in percent, or the root mean squared error for regression.
std::string Error(const json& rate, const json& rmse) {
  if (!rmse.is_null()) return fmt::format("rmse {:.4g}", rmse.get<double>());
  return rate.is_null() ? "-" : fmt::format("{:.2f}", 100 * rate.get<double>());
}

// Mean +- standard deviation, "12.5 +- 0.3". Without the deviation if it is 0 or there is only one seed.
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

// Names and values of the settings that a spec can vary within one experiment and learner.
json Axes(const json& row) {
  json axes = row["parameters"].is_object() ? row["parameters"] : json::object();
  for (const char* name : {"batch", "fold"}) axes[name] = row[name];
  return axes;
}

// Names of the settings in which the trials of an experiment and learner differ, by (experiment, learner).
using Varying = std::map<std::pair<std::string, std::string>, std::set<std::string>>;
Varying VaryingSettings(const std::vector<SummaryRow>& rows) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::set<std::string>>> values;
  for (const json& row : rows) {
    auto& of_learner = values[{Cell(row["experiment"]), Cell(row["learner"])}];
    const json axes = Axes(row);
    for (const auto& [name, value] : axes.items()) of_learner[name].insert(value.dump());
  }
  Varying varying;
  for (const auto& [learner, settings] : values)
    for (const auto& [name, seen] : settings)
      if (seen.size() > 1) varying[learner].insert(name);
  return varying;
}

std::string Parameters(Varying& varying, const json& row) {
  std::string text;
  const json axes = Axes(row);
  for (const std::string& name : varying[{Cell(row["experiment"]), Cell(row["learner"])}])
    if (axes.contains(name)) text += (text.empty() ? "" : " ") + name + "=" + Cell(axes[name], "{:.6g}");
  return text.empty() ? "-" : text;
}

std::string DataSet(const json& row) {
  const bool synthetic = row["synthetic"].is_boolean() && row["synthetic"].get<bool>();
  const json& replacement = row["replacement"];
  return Cell(row["data_set"]) + (synthetic ? " (SYNTHETIC)" : "") +
         (replacement.is_null() ? "" : " (" + Cell(replacement) + ")");
}

std::string Target(double error) { return fmt::format("to {:g} %", 100 * error); }

// Kernel evaluations to reach the target; "-" if it was not reached or the trace does not contain the counts.
std::string Reached(const json& row) {
  const json& cost = row["cost_to_reach"];
  if (cost.is_null() || cost["requested"].is_null()) return "-";
  const json& requested = cost["requested"];
  return requested.is_object() ? Mean(requested, 1, "{:.0f}") : Cell(requested);
}

// Marks counts of learners that can compute kernels outside the engine.
std::string Requested(const std::string& text, const json& row) {
  return text + (row["counted"].is_null() ? "" : " (handed)");
}

// Prints below the table what "(handed)" means.
void ExplainMarks(const std::vector<SummaryRow>& rows) {
  if (std::any_of(rows.begin(), rows.end(), [](const json& row) { return !row["counted"].is_null(); }))
    fmt::print(
        "(handed): counts only values of the kernel passed to the learner, not those it computes itself\n");
}

// Throws SpecError for a measure that is not among the known ones.
void RequireMeasures(const std::set<std::string>& known, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (!known.contains(name))
      throw SpecError("--measure: no trial has '" + name + "'" +
                      DidYouMean(name, {known.begin(), known.end()},
                                 "run the spec with --measure " + name +
                                     ", or use okbench measure for recorded predictions"));
}

constexpr double kKilobyte = 1024;

// Additional columns of --costs.
const std::vector<std::string>& CostColumns() {
  static const std::vector<std::string> columns = {"cpu s", "peak KB", "evaluations/s"};
  return columns;
}

// Kernel evaluations per second of learning; null without a time.
json PerSecond(const json& computed, const json& seconds) {
  if (computed.is_null() || seconds.is_null() || seconds.get<double>() <= 0) return nullptr;
  return computed.get<double>() / seconds.get<double>();
}

// The value, or the mean of a group.
json Number(const json& value) { return value.is_object() ? value["mean"] : value; }

std::vector<std::string> CostCells(const json& row) {
  const json bytes = Number(row["learner_peak_bytes"]);
  return {
      Cell(Number(row["cpu_seconds"]), "{:.3g}"),
      Cell(bytes.is_null() ? bytes : json(bytes.get<double>() / kKilobyte), "{:.0f}"),
      Cell(PerSecond(Number(row["kernel_evaluations"]["computed"]), Number(row["wall_seconds"])), "{:.3g}")};
}

void PrintSummary(const std::vector<SummaryRow>& rows, const SummaryOptions& options) {
  const double target = options.target;
  const std::vector<std::string>& measures = options.measures;
  std::vector<std::vector<std::string>> table = {{"experiment", "learner", "parameters", "seed", "data set",
                                                  "kernel", "batch", "status", "examples", "error %",
                                                  "test %", "margin errors", "SVs", "requested", "computed",
                                                  "evaluation", "wall s", "digest"}};
  if (target > 0) table[0].insert(table[0].end() - 1, Target(target));
  table[0].insert(table[0].end() - 1, measures.begin(), measures.end());
  if (options.costs) table[0].insert(table[0].end() - 1, CostColumns().begin(), CostColumns().end());
  Varying varying = VaryingSettings(rows);
  for (const json& row : rows) {
    const json& counts = row["kernel_evaluations"];
    const std::string digest = Cell(row["trace_digest"]);
    table.push_back({Cell(row["experiment"]), Cell(row["learner"]), Parameters(varying, row),
                     Cell(row["seed"]), DataSet(row), Cell(row["kernel"]), Cell(row["batch"]),
                     Cell(row["status"]), Cell(row["examples"]), Error(row["error_rate"], row["rmse"]),
                     Error(row["test_error"], row["test_rmse"]), Cell(row["margin_errors"]),
                     Cell(row["support_vectors"]), Requested(Cell(counts["requested"]), row),
                     Cell(counts["computed"]), Cell(counts["evaluation"]),
                     Cell(row["wall_seconds"], "{:.3f}"), digest.substr(0, 12)});
    if (target > 0) table.back().insert(table.back().end() - 1, Reached(row));
    for (const std::string& name : measures)
      table.back().insert(table.back().end() - 1, Cell(MeasureOf(row, name), "{:.4f}"));
    if (options.costs)
      for (const std::string& cell : CostCells(row)) table.back().insert(table.back().end() - 1, cell);
  }
  PrintFitted(table, WidthOf(options),
              {"digest", "wall s", "evaluation", "margin errors", "kernel", "batch", "computed", "examples",
               "status"});
  ExplainMarks(rows);
}

void PrintMeans(const std::vector<SummaryRow>& groups, const SummaryOptions& options) {
  const double target = options.target;
  const std::vector<std::string>& measures = options.measures;
  std::vector<std::vector<std::string>> table = {{"experiment", "learner", "grid point", "data set", "seeds",
                                                  "error %", "test %", "SVs", "requested", "computed",
                                                  "wall s"}};
  if (target > 0) table[0].push_back(Target(target));
  table[0].insert(table[0].end(), measures.begin(), measures.end());
  if (options.costs) table[0].insert(table[0].end(), CostColumns().begin(), CostColumns().end());
  for (const json& group : groups) {
    const json& counts = group["kernel_evaluations"];
    std::string seeds = Cell(group["seeds"]);
    for (const char* lacking : {"failed", "missing", "stale"})
      if (group[lacking] > 0) seeds += fmt::format(" ({} {})", Cell(group[lacking]), lacking);
    std::string grid = Cell(group["grid_point"]);
    if (group.contains("points") && group["points"] > 1)
      grid += fmt::format(" (best of {})", Cell(group["points"]));
    table.push_back({Cell(group["experiment"]), Cell(group["key"]), grid.empty() ? "-" : grid, DataSet(group),
                     seeds, MeanError(group["error_rate"], group["rmse"]),
                     MeanError(group["test_error"], group["test_rmse"]),
                     Mean(group["support_vectors"], 1, "{:.0f}"),
                     Requested(Mean(counts["requested"], 1, "{:.4g}"), group),
                     Mean(counts["computed"], 1, "{:.4g}"), Mean(group["wall_seconds"], 1, "{:.3g}")});
    if (target > 0) table.back().push_back(Reached(group));
    for (const std::string& name : measures)
      table.back().push_back(Mean(MeasureOf(group, name), 1, "{:.4f}"));
    if (options.costs)
      for (const std::string& cell : CostCells(group)) table.back().push_back(cell);
  }
  PrintFitted(table, WidthOf(options), {"wall s", "computed", "SVs"});
  ExplainMarks(groups);
}

// Prints means with intervals as CSV or LaTeX.
int ExportMeans(const SummaryOptions& options) {
  if (!options.mean && !options.best) throw SpecError("--csv and --tex print means: add --mean or --best");
  if (options.json || options.folds || options.costs || options.target > 0 || !options.measures.empty())
    throw SpecError(
        "--csv and --tex have fixed columns: leave out --json, --folds, --costs, --target and --measure");
  if (options.stale) setenv("OKBENCH_STALE", "1", 1);
  std::vector<std::string> arguments = options.paths;
  arguments.insert(arguments.end(), {"--to", "-", "--format", options.tex ? "tex" : "csv"});
  if (options.best) arguments.push_back("--best");
  return RunPythonVerb("export", arguments);
}

// Prints the means. Returns 1 if a mean lacks a seed, also that of a grid point not chosen.
int ShowMeans(const SummaryRequest& request, const SummaryOptions& options) {
  Means means;
  std::set<std::string> measures;
  ForEachRow(
      request,
      [&](const SummaryRow& row, std::size_t position) {
        for (const auto& [name, value] : row["measures"].items()) measures.insert(name);
        means.Add(row, position);
      },
      PrintErrorLine);
  RequireMeasures(measures, options.measures);
  std::vector<SummaryRow> shown = means.Rows();
  // Trials of a plan that have not run are named in one line, not in rows.
  const auto not_run = [](const json& row) {
    return row["seeds"] == 0 && row["failed"] == 0 && row["stale"] == 0;
  };
  if (!options.best) std::erase_if(shown, not_run);
  const bool complete =
      std::none_of(shown.begin(), shown.end(), [](const json& row) { return row["complete"] == false; });
  if (options.best) {
    shown = BestOf(shown);
    std::erase_if(shown, not_run);
  }
  if (options.json)
    fmt::print("{}\n", json{{"format", 1}, {"means", shown}}.dump(1));
  else
    PrintMeans(shown, options);
  return complete ? 0 : 1;
}

// Prints the rows as JSON, one per line, without missing trials. Returns 1 if another trial has no valid
// result.
int PrintJsonRows(const SummaryRequest& request) {
  constexpr std::size_t kBuffer = std::size_t{64} << 20;  // characters that are printed together
  std::string text = "{\"format\": 1, \"trials\": [";
  bool complete = true, first = true;
  ForEachRow(
      request,
      [&](const SummaryRow& row, std::size_t) {
        if (row["status"] == "missing") return;
        complete = complete && HasNumbers(row);
        text += (std::exchange(first, false) ? "\n" : ",\n") + row.dump();
        if (text.size() < kBuffer) return;
        fmt::print("{}", text);
        text.clear();
      },
      PrintErrorLine);
  fmt::print("{}\n]}}\n", text);
  return complete ? 0 : 1;
}

// Prints the rows, without missing trials, as a table or JSON. Returns 1 if another trial has no valid
// result.
int ShowRows(const SummaryRequest& request, const SummaryOptions& options) {
  constexpr std::size_t kMostListed = 200000;
  std::vector<SummaryRow> rows = Summarise(request, kMostListed, PrintErrorLine);
  std::set<std::string> measures;
  for (const json& row : rows)
    for (const auto& [name, value] : row["measures"].items()) measures.insert(name);
  RequireMeasures(measures, options.measures);
  std::erase_if(rows, [](const json& row) { return row["status"] == "missing"; });
  if (options.json)
    fmt::print("{}\n", json{{"format", 1}, {"trials", rows}}.dump(1));
  else
    PrintSummary(rows, options);
  return std::all_of(rows.begin(), rows.end(), HasNumbers) ? 0 : 1;
}

int ShowSummary(const SummaryOptions& options) {
  if (options.csv || options.tex) return ExportMeans(options);
  if (options.target < 0 || options.target > 1)
    throw SpecError("--target: expected a share between 0 and 1; 0.05 is 5 %");
  const SummaryRequest request{.paths = options.paths,
                               .folds = options.folds,
                               .stale = options.stale || Environment("OKBENCH_STALE") == "1",
                               .target = options.target > 0 ? std::optional(options.target) : std::nullopt};
  if (options.mean || options.best) return ShowMeans(request, options);
  return options.json && options.measures.empty() ? PrintJsonRows(request) : ShowRows(request, options);
}

}  // namespace

Verb AddSummary(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "summary", "Print errors, support vectors and evaluations of every trial",
                           "okbench summary results/default --mean --target 0.05");
  const auto options = std::make_shared<SummaryOptions>();
  AddOption(*verb, "path", options->paths, "Trace files or result folders", {.required = true});
  AddJson(*verb, options->json);
  AddFlag(*verb, "--folds", options->folds, "Include the trials of cross-validation");
  AddFlag(*verb, "--mean", options->mean, "Print means over seeds, one row per learner and grid point");
  AddFlag(*verb, "--best", options->best, "Print means of each learner's best grid point per data set");
  AddFlag(*verb, "--stale", options->stale, "Accept and mark results of an older spec, data set or revision");
  AddOption(*verb, "--target", options->target,
            "Print evaluations until the average error stays below this share");
  AddOption(*verb, "--measure", options->measures, "Print this measure, e.g. auc@1000; may be repeated",
            {.repeated = "NAME"});
  AddFlag(*verb, "--costs", options->costs,
          "Print processor time, memory of the learner and evaluation speed");
  AddFlag(*verb, "--csv", options->csv, "Print means with 95 % intervals as CSV");
  AddFlag(*verb, "--tex", options->tex, "Print means with 95 % intervals as a LaTeX table");
  AddOption(*verb, "--width", options->width,
            "Fit tables to this many characters; 0: any width (default: the terminal's)",
            {.range = {{0, 100000}}});
  Exclude(*verb, "--csv", "--tex");
  return {verb, [options] { return ShowSummary(*options); }};
}

}  // namespace okbench
