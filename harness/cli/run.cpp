// `okbench run SPEC...`.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "harness/cli/python_verbs.h"
#include "harness/cli/verb.h"
#include "harness/results/result_folder.h"
#include "harness/run/runner.h"
#include "harness/spec/catalogs.h"
#include "harness/system/standard_streams.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace {

struct RunVerbOptions {
  PlanRequest plan;
  Selection selection;
  RunOptions run;
  bool dry_run = false;
  bool fetch = false;
  std::vector<std::string> measures;  // instead of those of the spec
};

void PrintSelected(const std::vector<Work>& selected) {
  std::uint64_t total = 0;
  for (const Work& work : selected) {
    fmt::print("{}  {}  {} {} kernel evaluations{}{}\n", work.trial->id, work.trial->Name(),
               work.trial->info->protocol == Protocol::kStream ? "at most" : "about",
               work.trial->cost.requested, HasResult(work.file(), *work.trial) ? "  (has a result)" : "",
               work.trial->DataMark());
    total += work.trial->cost.requested;
  }
  fmt::print("{} trials, about {:.3g} kernel evaluations\n", selected.size(), static_cast<double>(total));
}

// Names the data sets in whose place generated rows were used.
void WarnOfSynthetic(const std::vector<PlannedSpec>& specs) {
  std::set<std::string> names;
  std::size_t trials = 0;
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials)
      if (trial.train_plan->synthetic) {
        names.insert(trial.data->train.name);
        ++trials;
      }
  if (trials > 0)
    PrintToError("{} {} on SYNTHETIC DATA: there are no files of {}; okbench data missing lists them\n",
                 trials, trials == 1 ? "trial is" : "trials are", fmt::join(names, ", "));
}

// A path as a word of the shell.
std::string ShellWord(const std::string& path) {
  if (path.find_first_of(" \t\n\"'\\$`&|;<>()*?[]{}#~!") == std::string::npos) return path;
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// Suggests the next commands.
void PrintNext(const PlannedSpec& planned) {
  // The folder of the experiment "PAPER/NAME" is OUT/PAPER/NAME.
  const std::string folder = planned.folder.string();
  const std::string out = folder.substr(0, folder.size() - planned.spec.experiment.size() - 1);
  PrintToError("results are in {}\nnext: okbench summary {} --best\n      okbench plot {} --best\n", out,
               ShellWord(out), ShellWord(folder));
}

// Fetches what it can. Planning reports data that is still missing.
void FetchFor(const std::vector<std::string>& specs, bool replace) {
  std::vector<std::string> arguments = {"--optional", "--specs"};
  arguments.insert(arguments.end(), specs.begin(), specs.end());
  if (replace) arguments.insert(arguments.end(), {"--replacements", "all"});
  RunPythonVerb("data fetch", arguments);
}

// Names the data sets that have fewer rows than data.max_examples.
void WarnOfLimits(const std::vector<PlannedSpec>& specs) {
  for (const PlannedSpec& spec : specs) {
    std::map<std::string, std::uint64_t> shorter;
    for (const Trial& trial : spec.trials)
      if (!trial.fold() && trial.train_plan->rows < trial.data->stream.limit)
        shorter[trial.data->train.name] = trial.train_plan->rows;
    for (const auto& [name, rows] : shorter)
      PrintToError("{}: data.max_examples = {}, but {} has {} rows\n", spec.spec.path,
                   spec.spec.data.stream.limit, name, rows);
  }
}

int RunSpecs(RunVerbOptions options) {
  if (!options.measures.empty())
    options.plan.overrides.push_back("measures.names=" + nlohmann::json(options.measures).dump());
  if (const std::string& out = options.plan.out;
      std::filesystem::exists(out) && !std::filesystem::is_directory(out))
    throw SpecError("--out: " + out + " is a file, not a folder");
  if (options.fetch) FetchFor(options.plan.specs, options.plan.replace);
  const Catalog catalog = ReadCatalog(options.plan.replace);
  const DataFolders folders = DataFolders::FromEnvironment();
  ActiveTarget();  // refuses a processor without fused multiply-add before anything starts
  const std::vector<PlannedSpec> specs = PlanSpecs(options.plan, catalog, folders);
  if (options.plan.no_synthetic &&
      std::all_of(specs.begin(), specs.end(), [](const PlannedSpec& spec) { return spec.trials.empty(); }))
    throw RequestError(
        "--no-synthetic leaves out every trial, because no data set has files here; try --fetch");
  if (!options.run.quiet) WarnOfLimits(specs);
  if (!options.dry_run) {
    const int status = Run(specs, options.selection, options.run, catalog, folders);
    if (status == 0 && !options.run.quiet) {
      WarnOfSynthetic(specs);
      PrintNext(specs.front());
    }
    return status;
  }
  PrintSelected(Select(specs, options.selection));
  return 0;
}

void AddSelection(CLI::App& verb, Selection& selection) {
  AddOption(verb, "--only", selection.only,
            "Run the trials whose name matches this glob, or the trial with this id");
  AddOption(verb, "--trial", selection.trials, "Run only the trial with this id; may be repeated",
            {.repeated = "ID"});
}

}  // namespace

Verb AddRun(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "run", "Run every trial of the given specs that has no valid result",
                           "okbench run experiments/svmd-2006/fig3.toml --tier quick");
  const auto options = std::make_shared<RunVerbOptions>();
  RunOptions& run = options->run;
  AddSpecs(*verb, options->plan);
  AddSelection(*verb, options->selection);
  AddTier(*verb, options->plan);
  AddOption(*verb, "--measure", options->measures,
            "Replace the spec's measures, e.g. by auc or kappa@1000; may be repeated", {.repeated = "NAME"});
  AddOption(*verb, "--jobs", run.jobs, "Run this many trials in parallel (default: one per available core)",
            {.range = {{1, 4096}}});
  AddOption(*verb, "--out", options->plan.out, "Result folder (default: results/TIER)");
  AddFlag(*verb, "--fetch", options->fetch, "Download the data sets of the specs first");
  AddFlag(*verb, "--force", run.force, "Rerun trials that already have results");
  AddFlag(*verb, "--pack", run.pack, "Store many results per file (default above 10000 trials)");
  AddFlag(*verb, "--dry-run", options->dry_run, "List trials with ids and expected evaluations; run nothing");
  AddOption(*verb, "--timeout", run.timeout_seconds,
            "Stop a trial after this many seconds of search and learning", {.range = {{1e-9, 1e9}}});
  AddFlag(*verb, "--quiet", run.quiet, "Print failures only");
  AddFlag(*verb, "-v,--verbose", run.verbose, "Print one line per trial (default for up to 40 trials)");
  Exclude(*verb, "--quiet", "--verbose");
  Exclude(*verb, "--only", "--trial");
  AddOption(*verb, "--lookahead", run.lookahead,
            "Evaluate this many examples ahead; affects speed and computed counts only",
            {.show_default = true, .range = {{1, 4096}}});
  return {verb, [options] { return RunSpecs(*options); }};
}

}  // namespace okbench
