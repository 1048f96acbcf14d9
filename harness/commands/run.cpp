// `okbench run SPEC...`.

#include <fmt/core.h>

#include <memory>

#include "harness/commands/verb.h"
#include "harness/run/runner.h"
#include "harness/store/result_folder.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"
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
};

void PrintSelected(const std::vector<Work>& selected) {
  std::uint64_t total = 0;
  for (const Work& work : selected) {
    fmt::print("{}  {}  {} {} kernel evaluations{}{}\n", work.trial->id, work.trial->Name(),
               work.trial->info->protocol == Protocol::kStream ? "at most" : "about",
               work.trial->cost.requested, HasResult(work.file, *work.trial) ? "  (has a result)" : "",
               work.trial->stand_in ? "  [STAND-IN DATA]" : "");
    total += work.trial->cost.requested;
  }
  fmt::print("{} trials, about {:.3g} kernel evaluations\n", selected.size(), static_cast<double>(total));
}

// What one does with results.
void TellNext(const RunVerbOptions& options) {
  const std::string out = options.plan.out.empty() ? DefaultFolder(options.plan) : options.plan.out;
  const std::string spec = options.plan.specs.size() == 1 ? options.plan.specs.front() : "SPEC";
  PrintToError("results are in {}; next: okbench summary {} --mean, okbench plot {} --results {}\n", out, out,
               spec, out);
}

// What can be had; what cannot is told, and is the plan's to judge.
void FetchFor(const std::vector<std::string>& specs) {
  std::vector<std::string> words = {PythonInterpreter(), HomeFolder() + "/datasets/fetch.py", "--optional"};
  for (const std::string& path : CatalogPaths()) words.insert(words.end(), {"--catalog", path});
  words.emplace_back("--specs");
  words.insert(words.end(), specs.begin(), specs.end());
  RunProgram(words);
}

int RunSpecs(const RunVerbOptions& options) {
  if (options.fetch) FetchFor(options.plan.specs);
  const Catalog catalog = ReadCatalog();
  const DataFolders folders = DataFolders::FromEnvironment();
  ActiveTarget();  // refuses a processor without fused multiply-add before anything starts
  const std::vector<PlannedSpec> specs = PlanSpecs(options.plan, catalog, folders);
  if (!options.dry_run) {
    const int status = Run(specs, options.selection, options.run, catalog, folders);
    if (status == 0 && !options.run.quiet) TellNext(options);
    return status;
  }
  PrintSelected(Select(specs, options.selection));
  return 0;
}

void AddSelection(CLI::App& verb, Selection& selection) {
  AddOption(verb, "--only", selection.only,
            "Run only trials whose name (experiment/learner[grid]/rN) or id matches this glob");
  AddOption(verb, "--trial", selection.trials,
            "Run these trials alone, by id; may be repeated. What they need must have a result, or be "
            "among them",
            {.repeated = "ID"});
}

}  // namespace

Verb AddRun(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "run", "Run the trials of specs that have no valid result yet");
  const auto options = std::make_shared<RunVerbOptions>();
  RunOptions& run = options->run;
  AddSpecs(*verb, options->plan);
  AddSelection(*verb, options->selection);
  AddTier(*verb, options->plan);
  AddOption(*verb, "--jobs", run.jobs,
            "Trials side by side; default: one per core. Never more than a control group or Slurm allots",
            {.range = {{1, 4096}}});
  AddOption(*verb, "--out", options->plan.out,
            "Result folder; default: results/<tier>, with --set results/<tier>-set-<digest>");
  AddFlag(*verb, "--fetch", options->fetch, "First fetch the data that the specs name");
  AddFlag(*verb, "--fresh", run.fresh, "Run trials again that have a result");
  AddFlag(*verb, "--dry-run", options->dry_run,
          "Only list trials with ids and the kernel evaluations expected");
  AddOption(*verb, "--timeout", run.timeout_seconds, "Give a trial up after this many seconds of learning",
            {.range = {{1e-9, 1e9}}});
  AddFlag(*verb, "--quiet", run.quiet, "No progress, only failures");
  AddFlag(*verb, "-v,--verbose", run.verbose, "A line a trial; default: only where there are at most 40");
  AddOption(*verb, "--tile", run.tile,
            "Examples whose kernel rows are evaluated ahead together; changes speed and the count of "
            "computed values, never a result",
            {.show_default = true, .range = {{1, 4096}}});
  return {verb, [options] { return RunSpecs(*options); }};
}

}  // namespace okbench
