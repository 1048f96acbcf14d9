// `okbench plan SPEC...`: prints for every trial its id, prerequisites, data set and expected kernel
// evaluations, time and memory; then totals.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "harness/cli/printing.h"
#include "harness/cli/verb.h"
#include "harness/cost/plan_cost.h"
#include "harness/results/plan_file.h"
#include "harness/results/result_folder.h"
#include "harness/spec/catalogs.h"
#include "harness/system/cores.h"
#include "harness/system/provenance.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace {

struct PlanOptions {
  PlanRequest plan;
  bool json = false;
  bool brief = false;  // totals only
  bool write = false;  // write plan.json into the result folders, as a run does
};

constexpr double kNano = 1e9;

std::string CountText(double count) { return fmt::format("{:.3g}", count); }

void PrintTrials(const std::vector<TrialCost>& costs) {
  std::vector<std::vector<std::string>> table = {
      {"id", "trial", "after", "data", "kernel evaluations", "core time", "memory", ""}};
  for (const TrialCost& cost : costs) {
    const std::size_t needs = cost.trial->Needs().size();
    table.push_back({cost.trial->id, cost.trial->Name(), needs == 0 ? "" : fmt::format("{} folds", needs),
                     cost.trial->data->train.name + cost.trial->DataMark(),
                     CountText(cost.estimate.computed + cost.estimate.evaluation),
                     TimeText(cost.estimate.seconds), BytesText(static_cast<double>(cost.bytes())),
                     cost.done ? "has a result" : ""});
  }
  PrintColumns(table);
}

void PrintExperiments(const std::vector<TrialCost>& costs) {
  std::map<std::string, CostTotals> experiments;
  std::map<std::string, std::set<std::string>> data;
  std::vector<std::string> order;
  for (const TrialCost& cost : costs) {
    if (!experiments.contains(cost.trial->experiment)) order.push_back(cost.trial->experiment);
    experiments[cost.trial->experiment].Add(cost);
    data[cost.trial->experiment].insert(cost.trial->data->train.name);
  }
  std::vector<std::vector<std::string>> table = {{"experiment", "trials", "folds", "done", "data sets",
                                                  "kernel evaluations", "core time", "longest trial",
                                                  "memory of a trial"}};
  for (const std::string& name : order) {
    const CostTotals& totals = experiments[name];
    table.push_back({name, std::to_string(totals.trials), std::to_string(totals.folds),
                     std::to_string(totals.done), fmt::format("{}", fmt::join(data[name], " ")),
                     CountText(totals.evaluations), TimeText(totals.seconds),
                     TimeText(totals.longest->estimate.seconds),
                     BytesText(static_cast<double>(totals.bytes))});
  }
  PrintColumns(table);
}

std::string CoreTime(double seconds) {
  if (seconds < 60) return fmt::format("{:.2g} core-seconds", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} core-minutes", seconds / 60);
  return fmt::format("{:.1f} core-hours", seconds / 3600);
}

void PrintTotals(const std::vector<TrialCost>& costs) {
  const CostTotals totals = TotalsOf(costs);
  if (totals.longest == nullptr) return;
  const int cores = CoresToUse(0);
  const double critical = CriticalSeconds(costs);
  double fastest = costs.front().kernel_value_seconds, slowest = fastest;
  for (const TrialCost& cost : costs) {
    fastest = std::min(fastest, cost.kernel_value_seconds);
    slowest = std::max(slowest, cost.kernel_value_seconds);
  }
  const nlohmann::json provenance = BuildProvenance();
  fmt::print("\n{} trials ({} of cross validation), {} with a result, {} on synthetic data\n", totals.trials,
             totals.folds, totals.done, totals.synthetic);
  fmt::print("about {}, of which {} are still to run: {} on the {} cores here\n", CoreTime(totals.seconds),
             CoreTime(totals.left_seconds), TimeText(totals.left_seconds / cores), cores);
  fmt::print("longest trial about {}: {}; minimum wall time (critical path) {}\n",
             TimeText(totals.longest->estimate.seconds), totals.longest->trial->Name(), TimeText(critical));
  fmt::print(
      "Times are based on kernel values timed just now on all cores ({}, {}): {:.2g} to {:.2g} ns each.\n"
      "They assume a typical share of support vectors: a trial may take a third to three times as long.\n",
      provenance["cpu"].get<std::string>(), provenance["target"].get<std::string>(), kNano * fastest,
      kNano * slowest);
}

int ShowPlan(const PlanOptions& options) {
  const Catalog catalog = ReadCatalog(options.plan.replace);
  const DataFolders folders = DataFolders::FromEnvironment();
  ActiveTarget();  // throws on a processor without fused multiply-add, before any work starts
  const std::vector<PlannedSpec> specs = PlanSpecs(options.plan, catalog, folders);
  if (options.write) std::for_each(specs.begin(), specs.end(), WritePlan);
  std::vector<const Trial*> trials;
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials) trials.push_back(&trial);
  const Calibration calibration(trials, catalog, folders);
  const std::vector<TrialCost> costs = CostsOf(
      specs, calibration, [](const auto& file, const Trial& trial) { return HasResult(file, trial); });
  if (options.json) {
    const nlohmann::json plan = PlanJson(options.plan.tier, costs);
    fmt::print("{}\n", plan.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  }
  if (!options.brief) {
    PrintTrials(costs);
    fmt::print("\n");
  }
  PrintExperiments(costs);
  PrintTotals(costs);
  return 0;
}

}  // namespace

Verb AddPlan(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "plan", "Estimate the cost of a run: evaluations, time on this machine, memory",
              "okbench plan experiments/sfd-2013/table5-3.toml --tier paper");
  const auto options = std::make_shared<PlanOptions>();
  AddSpecs(*verb, options->plan);
  AddTier(*verb, options->plan);
  AddOption(*verb, "--out", options->plan.out,
            "Look for existing results in this folder (default: that of run)");
  AddJson(*verb, options->json);
  AddFlag(*verb, "--brief", options->brief, "Print the totals only, without a line per trial");
  AddFlag(*verb, "--write", options->write, "Write plan.json into the result folders, as a run does");
  return {verb, [options] { return ShowPlan(*options); }};
}

}  // namespace okbench
