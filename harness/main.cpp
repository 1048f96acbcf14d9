// The program okbench: verbs and their options. Exit status: 0 all is well, 1 something failed or differs, 2
// the request cannot be met as asked, 130 interrupted.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "datasets/environment.h"
#include "datasets/error.h"
#include "harness/commands/commands.h"
#include "harness/run/runner.h"
#include "harness/spec/spec.h"
#include "harness/store/result_sets.h"
#include "harness/store/results.h"
#include "harness/system/error.h"
#include "harness/system/paths.h"
#include "learners/core/error.h"
#include "learners/kernels/target.h"

namespace {

using namespace okbench;  // NOLINT(google-build-using-namespace): the program's own file

constexpr int kBadRequest = 2;

int SummaryCommand(const std::vector<std::string>& paths, bool as_json, bool folds) {
  const auto rows = Summarise(paths, folds);
  if (as_json)
    fmt::print("{}\n", nlohmann::json{{"format", 1}, {"trials", rows}}.dump(1));
  else
    PrintSummary(rows);
  for (const auto& row : rows)
    if (row["status"] != "ok") return 1;
  return 0;
}

constexpr std::size_t kShown = 20;  // differences between two folders

// `level` > 0: judge by errors and counts instead of bits.
int CompareCommand(const std::string& a, const std::string& b, bool as_json, double level) {
  std::size_t compared = 0;
  const auto differences = Compare(a, b, compared);
  const bool folders = std::filesystem::is_directory(a);
  // Files that one side lacks are no pairs.
  const auto different = static_cast<std::size_t>(std::count_if(
      differences.begin(), differences.end(), [](const Difference& d) { return !d.table.empty(); }));
  if (level > 0 && !folders) throw SpecError("--level is for folders: it tests errors over seeds");
  SetComparison sets;
  if (folders) sets = CompareSets(a, b);
  const bool equal = differences.empty() && sets.failed.empty();
  const int status = (level > 0 ? Differs(sets, level) : !equal) ? 1 : 0;
  if (as_json) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& d : differences)
      list.push_back({{"trial", d.trial},
                      {"table", d.table},
                      {"column", d.column},
                      {"row", d.row},
                      {"a", d.a},
                      {"b", d.b}});
    fmt::print("{}\n", nlohmann::json{{"format", 1},
                                      {"equal", equal},
                                      {"compared", compared},
                                      {"differences", list},
                                      {"sets", ToJson(sets)}}
                           .dump(1));
  } else if (equal) {
    fmt::print("{} {} bit for bit\n", compared, compared == 1 ? "trace agrees" : "traces agree");
  } else {
    for (std::size_t i = 0; i < std::min(differences.size(), kShown); ++i) {
      const Difference& d = differences[i];
      std::string where = d.trial;
      if (!d.table.empty()) where += ": " + d.table;
      if (!d.column.empty()) where += "/" + d.column;
      if (d.row >= 0) where += ", row " + std::to_string(d.row);
      fmt::print("{}: {} against {}\n", where, d.a, d.b);
    }
    if (differences.size() > kShown) fmt::print("and {} more\n", differences.size() - kShown);
    if (folders) {
      fmt::print("{} of {} traces agree bit for bit\n", compared - std::min(compared, different), compared);
      PrintSets(sets);
    }
  }
  return status;
}

Catalog ReadCatalog() {
  Catalog catalog;
  for (const std::string& path : CatalogPaths()) catalog.Read(path);
  return catalog;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "okbench: reproducible benchmarks of online kernel learners.\n"
      "Specs under experiments/ say what to run; traces go to results/; figures are drawn from traces.\n"};
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "\nEnvironment: OKBENCH_MIRROR (folder of data files), OKBENCH_CACHE (where fetched data lies), "
      "OKBENCH_CATALOG (your own "
      "catalogues),\nOKBENCH_TARGET (instruction set, as --target), OKBENCH_PYTHON (interpreter for `data "
      "fetch`).\n"
      "Exit status: 0 well, 1 failed or different, 2 bad request, 130 interrupted.");
  std::string target = Environment("OKBENCH_TARGET");
  if (target.empty()) target = "best";
  app.add_option(
         "--target", target,
         "Instruction set of the kernel engine: best, avx2, avx512, ... Results have the same bits on all")
      ->capture_default_str();

  auto* list = app.add_subcommand(
      "list",
      "List what there is: learners and their parameters, losses, kernels, data sets, formats, experiments");
  std::string what;
  bool as_json = false;
  list->add_option("what", what, "learners, losses, kernels, datasets, formats or experiments")
      ->required()
      ->check(CLI::IsMember({"learners", "losses", "kernels", "datasets", "formats", "experiments"}));
  list->add_flag("--json", as_json, "Machine-readable output");

  const auto add_overrides = [](CLI::App* verb, std::vector<std::string>& overrides) {
    verb->add_option("--set", overrides,
                     "Override a value of the spec: path=value, e.g. data.limit=500; may be repeated")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("PATH=VALUE");
  };
  const auto add_tier = [](CLI::App* verb, std::string& tier) {
    verb->add_option("--tier", tier,
                     "How much to run: quick (seconds), default (minutes), paper (all of the paper)")
        ->check(CLI::IsMember({"quick", "default", "paper"}))
        ->capture_default_str();
  };

  PlanOptions plan;
  auto* plan_verb = app.add_subcommand(
      "plan", "What a run will cost: trials, kernel evaluations, core time on this machine, memory");
  plan_verb->add_option("spec", plan.specs, "Spec files (experiments/*/*.toml)")->required();
  add_overrides(plan_verb, plan.overrides);
  add_tier(plan_verb, plan.tier);
  plan_verb->add_option("--out", plan.out,
                        "Result folder, to tell what is done already; default: results/<tier>");
  plan_verb->add_flag("--json", plan.json, "Machine-readable output");
  plan_verb->add_flag("--write", plan.write, "Write plan.json into the result folders, as a run does");

  RunOptions run;
  auto* run_verb = app.add_subcommand("run", "Run the trials of specs that have no valid result yet");
  run_verb->add_option("spec", run.specs, "Spec files (experiments/*/*.toml)")->required();
  add_overrides(run_verb, run.overrides);
  run_verb->add_option("--only", run.only,
                       "Run only trials whose name (experiment/learner[grid]/rN) or id matches this glob");
  run_verb
      ->add_option("--trial", run.trials,
                   "Run these trials alone, by id; may be repeated. What they need must have a result, or be "
                   "among them")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("ID");
  add_tier(run_verb, run.tier);
  run_verb
      ->add_option(
          "--jobs", run.jobs,
          "Trials side by side; default: one per core. Never more than a control group or Slurm allots")
      ->check(CLI::Range(1, 4096));
  run_verb->add_option("--out", run.out, "Result folder; default: results/<tier>");
  run_verb->add_flag("--fresh", run.fresh, "Run trials again that have a result");
  run_verb->add_flag("--dry-run", run.dry_run,
                     "Only list trials with ids and the kernel evaluations expected");
  run_verb
      ->add_option("--timeout", run.timeout_seconds, "Give a trial up after this many seconds of learning")
      ->check(CLI::Range(1e-9, 1e9));
  run_verb->add_flag("--quiet", run.quiet, "No progress, only failures");
  run_verb
      ->add_option("--tile", run.tile,
                   "Examples whose kernel rows are evaluated ahead together; changes speed and the count of "
                   "computed values, never a result")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();

  auto* summary =
      app.add_subcommand("summary", "One row a trial: errors, support vectors, kernel evaluations, digest");
  std::vector<std::string> paths;
  summary->add_option("path", paths, "Trace files or result folders")->required();
  summary->add_flag("--json", as_json, "Machine-readable output");
  bool folds = false;
  summary->add_flag("--folds", folds, "With the trials of cross validation");

  auto* show = app.add_subcommand("show", "One trace file: provenance, columns, first and last rows");
  std::string file;
  show->add_option("file", file, "Trace file (.h5)")->required();

  auto* compare = app.add_subcommand(
      "compare", "Compare two traces, or two result folders: bit for bit, then errors over seeds and counts");
  std::string a, b;
  compare->add_option("a", a, "Trace file or folder")->required();
  compare->add_option("b", b, "Trace file or folder")->required();
  double level = 0;
  compare
      ->add_option("--level", level,
                   "Folders: exit with 1 only when a learner's error differs over the seeds at this level "
                   "(paired t test, Holm), counts differ or trials are missing; default: when a bit differs")
      ->check(CLI::Range(1e-12, 1.0));
  compare->add_flag("--json", as_json, "Machine-readable output");

  auto* data = app.add_subcommand(
      "data", "Data sets: list them, fetch, verify against sha256, print the paths of their files");
  std::string action;
  std::vector<std::string> names;
  data->add_option("action", action, "list, fetch, verify or path")
      ->required()
      ->check(CLI::IsMember({"list", "fetch", "verify", "path"}));
  data->add_option("name", names, "Data sets; default: all");

  auto* claims = app.add_subcommand(
      "claims", "Judge what the papers state on the traces: reproduced, not reproduced, or not run");
  std::vector<std::string> papers;
  std::string results = "results/default";
  claims->add_option("paper", papers, "Papers, e.g. sfd-2013; default: all that have claims");
  claims->add_option("--results", results, "Result folder")->capture_default_str();
  claims->add_flag("--json", as_json, "Machine-readable output");

  auto* merge = app.add_subcommand(
      "merge", "Verify result folders, join them, and name the trials that are missing from the plan");
  std::vector<std::string> folders_to_merge;
  std::string merged;
  merge->add_option("folder", folders_to_merge, "Result folders, e.g. of several machines")->required();
  merge->add_option("--out", merged, "Folder to copy every valid result to; left out: only verify");

  CheckOptions check;
  auto* check_verb = app.add_subcommand(
      "check", "Run the quick tier on generated data and compare every trace with the committed reference");
  check_verb->add_option("spec", check.specs, "Spec files; default: all");
  check_verb->add_option("--reference", check.reference,
                         "Folder of references; default: results/reference of the project");
  check_verb->add_flag("--update", check.update, "Renew the reference, and show what changes");
  check_verb->add_option("--jobs", check.jobs, "Trials side by side; default: one per core")
      ->check(CLI::Range(1, 4096));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    fmt::print(stderr, "okbench: {} (see okbench --help)\n", error.what());
    return kBadRequest;
  }
  SelectTarget(target);
  if (*summary) return SummaryCommand(paths, as_json, folds);
  if (*compare) return CompareCommand(a, b, as_json, level);
  if (*show) {
    ShowTrace(file);
    return 0;
  }
  if (*merge) return MergeCommand(folders_to_merge, merged);
  if (*claims) return ClaimsCommand(papers, results, as_json);
  const Catalog catalog = ReadCatalog();
  if (*check_verb) {
    ActiveTarget();
    return CheckCommand(check, catalog);
  }
  const DataFolders folders = DataFolders::FromEnvironment();
  if (*list) {
    ListCommand(what, as_json, catalog, folders);
    return 0;
  }
  if (*data) return DataCommand(action, names, catalog, folders);
  if (*plan_verb) {
    ActiveTarget();
    return PlanCommand(plan, catalog, folders);
  }
  ActiveTarget();  // refuses a processor without fused multiply-add before anything starts
  return Run(run, catalog, folders);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const SpecError& error) {
    fmt::print(stderr, "okbench: {}\n", error.what());
    return kBadRequest;
  } catch (const InvalidArgument& error) {
    fmt::print(stderr, "okbench: {}\n", error.what());
    return kBadRequest;
  } catch (const DataError& error) {
    fmt::print(stderr, "okbench: {}\n", error.what());
    return kBadRequest;
  } catch (const UnsupportedMachine& error) {
    fmt::print(stderr, "okbench: {}\n", error.what());
    return kBadRequest;
  } catch (const std::exception& error) {
    fmt::print(stderr, "okbench: {}\n", error.what());
    return 1;
  }
}
