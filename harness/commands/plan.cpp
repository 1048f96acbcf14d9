#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/commands/commands.h"
#include "harness/cost/calibration.h"
#include "harness/store/planned_spec.h"
#include "harness/store/results.h"
#include "harness/system/cores.h"
#include "harness/system/provenance.h"

namespace okbench {
namespace {

using nlohmann::json;

// A trial with what it will cost.
struct Planned {
  const PlannedSpec* spec;
  const Trial* trial;
  TrialEstimate estimate;
  std::vector<HeldData> data;
  double load_seconds, rate;
  bool done;
  std::uint64_t bytes() const {
    std::uint64_t sum = kProcessBytes + estimate.bytes;
    for (const HeldData& held : data) sum += held.bytes;
    return sum;
  }
};

std::vector<Planned> PlanAll(const std::vector<PlannedSpec>& specs, const Calibration& calibration) {
  std::vector<Planned> planned;
  std::set<std::string> files;  // two entries of a spec may share a trial
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials) {
      const auto file = spec.folder / trial.FileName();
      if (!files.insert(file.string()).second) continue;
      planned.push_back({.spec = &spec,
                         .trial = &trial,
                         .estimate = calibration.EstimateTrial(trial),
                         .data = calibration.DataOf(trial),
                         .load_seconds = calibration.LoadSeconds(trial),
                         .rate = calibration.RatesOf(trial).ValueOf(trial.cost),
                         .done = HasResult(file, trial)});
    }
  return planned;
}

struct Totals {
  std::size_t trials = 0, folds = 0, done = 0, stand_ins = 0;
  double seconds = 0, left_seconds = 0, evaluations = 0;
  const Planned* longest = nullptr;
  std::uint64_t bytes = 0;

  void Add(const Planned& planned) {
    ++trials;
    folds += planned.trial->fold() ? 1 : 0;
    stand_ins += planned.trial->stand_in ? 1 : 0;
    done += planned.done ? 1 : 0;
    evaluations += planned.estimate.computed + planned.estimate.evaluation;
    seconds += planned.estimate.seconds;
    left_seconds += planned.done ? 0 : planned.estimate.seconds;
    bytes = std::max(bytes, planned.bytes());
    if (longest == nullptr || planned.estimate.seconds > longest->estimate.seconds) longest = &planned;
  }
};

// The longest way through trials and the trials they need, on as many cores as one likes.
double CriticalSeconds(const std::vector<Planned>& planned) {
  std::map<std::string, double> alone;
  for (const Planned& p : planned) alone[p.trial->id] = p.estimate.seconds;
  double longest = 0;
  for (const Planned& p : planned) {
    double before = 0;
    for (const std::string& id : p.trial->Needs()) before = std::max(before, alone[id]);
    longest = std::max(longest, before + p.estimate.seconds);
  }
  return longest;
}

json TrialJson(const Planned& p) {
  const Trial& trial = *p.trial;
  json held = json::array();
  for (const HeldData& data : p.data) held.push_back({{"key", data.key}, {"bytes", data.bytes}});
  return {{"id", trial.id},
          {"name", trial.Name()},
          {"experiment", trial.experiment},
          {"spec", p.spec->spec.path},
          {"file", (p.spec->folder / trial.FileName()).string()},
          {"learner", trial.info->name},
          {"fold", trial.fold()},
          {"needs", trial.Needs()},
          {"data_set", trial.data.train.name},
          {"stand_in", trial.stand_in},
          {"done", p.done},
          {"kernel_evaluations",
           {{"requested", trial.cost.requested},
            {"computed", p.estimate.computed},
            {"evaluation", p.estimate.evaluation}}},
          {"seconds", p.estimate.seconds},
          {"load_seconds", p.load_seconds},
          {"memory", {{"process", kProcessBytes}, {"learner", p.estimate.bytes}, {"data", held}}},
          {"kernel_value_seconds", p.rate}};
}

void PrintJson(const std::string& tier, const std::vector<Planned>& planned, const Totals& totals) {
  json trials = json::array();
  for (const Planned& p : planned) trials.push_back(TrialJson(p));
  const json provenance = BuildProvenance();
  const json plan = {
      {"format", 1},
      {"tier", tier},
      {"machine", {{"cpu", provenance["cpu"]}, {"target", provenance["target"]}, {"cores", CoresToUse(0)}}},
      {"totals",
       {{"trials", totals.trials},
        {"folds", totals.folds},
        {"done", totals.done},
        {"seconds", totals.seconds},
        {"left_seconds", totals.left_seconds},
        {"critical_seconds", CriticalSeconds(planned)},
        {"kernel_evaluations", totals.evaluations},
        {"longest", totals.longest == nullptr ? json() : json(totals.longest->trial->id)}}},
      {"trials", trials}};
  fmt::print("{}\n", plan.dump(1, ' ', false, json::error_handler_t::replace));
}

constexpr double kNano = 1e9;

std::string CountText(double count) { return fmt::format("{:.3g}", count); }

void PrintTrials(const std::vector<Planned>& planned) {
  std::vector<std::vector<std::string>> table = {
      {"id", "trial", "after", "data", "kernel evaluations", "core time", "memory", ""}};
  for (const Planned& p : planned) {
    const std::size_t needs = p.trial->Needs().size();
    table.push_back({p.trial->id, p.trial->Name(), needs == 0 ? "" : fmt::format("{} folds", needs),
                     p.trial->data.train.name + (p.trial->stand_in ? " [STAND-IN]" : ""),
                     CountText(p.estimate.computed + p.estimate.evaluation), TimeText(p.estimate.seconds),
                     BytesText(static_cast<double>(p.bytes())), p.done ? "has a result" : ""});
  }
  PrintColumns(table);
}

void PrintExperiments(const std::vector<Planned>& planned) {
  std::map<std::string, Totals> experiments;
  std::map<std::string, std::set<std::string>> data;
  std::vector<std::string> order;
  for (const Planned& p : planned) {
    if (!experiments.contains(p.trial->experiment)) order.push_back(p.trial->experiment);
    experiments[p.trial->experiment].Add(p);
    data[p.trial->experiment].insert(p.trial->data.train.name);
  }
  std::vector<std::vector<std::string>> table = {{"experiment", "trials", "of them folds", "done",
                                                  "data sets", "kernel evaluations", "core time",
                                                  "longest trial", "memory of a trial"}};
  for (const std::string& name : order) {
    const Totals& totals = experiments[name];
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

}  // namespace

int PlanCommand(const PlanOptions& options, const Catalog& catalog, const DataFolders& folders) {
  const std::vector<PlannedSpec> specs =
      PlanSpecs(options.specs, options.tier, options.overrides, options.out, catalog, folders);
  std::vector<const Trial*> trials;
  if (options.write) std::for_each(specs.begin(), specs.end(), WritePlan);
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials) trials.push_back(&trial);
  const Calibration calibration(trials, catalog, folders);
  const std::vector<Planned> planned = PlanAll(specs, calibration);
  Totals totals;
  for (const Planned& p : planned) totals.Add(p);
  if (options.json) {
    PrintJson(options.tier, planned, totals);
    return 0;
  }
  PrintTrials(planned);
  fmt::print("\n");
  PrintExperiments(planned);
  if (totals.longest == nullptr) return 0;
  const int cores = CoresToUse(0);
  const double critical = CriticalSeconds(planned);
  double fastest = planned.front().rate, slowest = fastest;
  for (const Planned& p : planned) {
    fastest = std::min(fastest, p.rate);
    slowest = std::max(slowest, p.rate);
  }
  const json provenance = BuildProvenance();
  fmt::print("\n{} trials ({} of cross validation), {} with a result, {} on stand-in data\n", totals.trials,
             totals.folds, totals.done, totals.stand_ins);
  fmt::print("about {}, of which {} are still to run: {} on the {} cores here\n", CoreTime(totals.seconds),
             CoreTime(totals.left_seconds), TimeText(totals.left_seconds / cores), cores);
  fmt::print("longest trial about {}: {}; with the folds before it no run is shorter than {}\n",
             TimeText(totals.longest->estimate.seconds), totals.longest->trial->Name(), TimeText(critical));
  fmt::print(
      "Times follow from kernel values timed just now on all cores ({}, {}): {:.2g} to {:.2g} ns each.\n"
      "How many examples become support vectors is a typical share: a trial may take a third of that, or "
      "three times.\n",
      provenance["cpu"].get<std::string>(), provenance["target"].get<std::string>(), kNano * fastest,
      kNano * slowest);
  return 0;
}

}  // namespace okbench
