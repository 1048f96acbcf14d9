// `okbench plot`, `okbench figures` and `okbench report`: what okplots draws from traces.

#include <fmt/format.h>

#include <memory>

#include "harness/commands/verb.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

int RunOkplots(const std::string& module, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {PythonInterpreter(), "-m", "okbench.verb", module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return RunProgram(words, PythonPath());
}

struct PlotOptions {
  std::vector<std::string> places;
  std::string x = "requested", y = "error", only = "*", log, out, results = "results/default";
  double target = 0;  // none
};

int Plot(const PlotOptions& options) {
  std::vector<std::string> words = {"--x",    options.x,    "--y",       options.y,
                                    "--only", options.only, "--results", options.results};
  if (!options.log.empty()) words.insert(words.end(), {"--log", options.log});
  if (!options.out.empty()) words.insert(words.end(), {"--out", options.out});
  if (options.target > 0) words.insert(words.end(), {"--target", fmt::format("{}", options.target)});
  words.emplace_back("--");
  words.insert(words.end(), options.places.begin(), options.places.end());
  return RunOkplots("okplots.plot", words);
}

struct FiguresOptions {
  std::string results = "results/default", only = "*";
};

struct ReportOptions {
  std::string results = "results/default", out = "results/report/index.html";
};

}  // namespace

Verb AddPlot(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "plot",
              "Draw a measure of learners against what it cost: mean and spread over seeds, a curve a "
              "learner, as PNG, SVG and PDF");
  const auto options = std::make_shared<PlotOptions>();
  AddOption(*verb, "place", options->places, "Specs, whose results lie in --results, or folders of results",
            {.required = true});
  AddOption(*verb, "--x", options->x, "What it cost",
            {.show_default = true,
             .one_of = {"requested", "computed", "steps", "examples", "seconds", "support_vectors"}});
  AddOption(*verb, "--y", options->y,
            "error (average), test_error, loss (average), or a column of the traces", {.show_default = true});
  AddOption(*verb, "--only", options->only, "Only learners or trials whose name matches this glob");
  AddOption(*verb, "--log", options->log, "Logarithmic axes: x, y or x,y");
  AddOption(*verb, "--target", options->target,
            "A level of y, errors as a share (0.2): the legend tells what it took to stay below",
            {.range = {{1e-12, 1e12}}});
  AddOption(*verb, "--out", options->out, "The figure's name; default: <spec>-<y>-<x>.png here");
  AddOption(*verb, "--results", options->results, "Result folder", {.show_default = true});
  return {verb, [options] { return Plot(*options); }};
}

Verb AddFigures(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "figures", "Draw the papers' figures and tables whose traces are there");
  const auto options = std::make_shared<FiguresOptions>();
  AddOption(*verb, "--results", options->results, "Result folder", {.show_default = true});
  AddOption(*verb, "--only", options->only, "Only figures whose name matches this glob");
  return {verb, [options] {
            return RunOkplots("okplots.__main__", {options->results, "--only", options->only});
          }};
}

Verb AddReport(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "report", "One web page over the results: verdicts, figures to inspect, costs");
  const auto options = std::make_shared<ReportOptions>();
  AddOption(*verb, "--results", options->results, "Result folder", {.show_default = true});
  AddOption(*verb, "--out", options->out, "The page", {.show_default = true});
  return {verb, [options] {
            std::vector<std::string> words = {"--results", options->results, "--out", options->out};
            for (const std::string& folder : ExperimentFolders())
              words.insert(words.end(), {"--experiments", folder});
            return RunOkplots("okplots.report", words);
          }};
}

}  // namespace okbench
