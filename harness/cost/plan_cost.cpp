#include "harness/cost/plan_cost.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/system/cores.h"
#include "harness/system/provenance.h"

namespace okbench {
namespace {

using nlohmann::json;

json TrialJson(const TrialCost& cost) {
  const Trial& trial = *cost.trial;
  json data_sizes = json::array();
  for (const LoadedData& data : cost.data) data_sizes.push_back({{"key", data.key}, {"bytes", data.bytes}});
  return {{"id", trial.id},
          {"name", trial.Name()},
          {"experiment", trial.experiment},
          {"spec", cost.spec->spec.path},
          {"file", (cost.spec->folder / trial.FileName()).string()},
          {"learner", trial.info->name},
          {"fold", trial.fold()},
          {"needs", trial.Needs()},
          {"data_set", trial.data->train.name},
          {"synthetic", trial.synthetic},
          {"done", cost.done},
          {"kernel_evaluations",
           {{"requested", trial.cost.requested},
            {"computed", cost.estimate.computed},
            {"evaluation", cost.estimate.evaluation}}},
          {"seconds", cost.estimate.seconds},
          {"load_seconds", cost.load_seconds},
          {"memory", {{"process", kProcessBytes}, {"learner", cost.estimate.bytes}, {"data", data_sizes}}},
          {"kernel_value_seconds", cost.kernel_value_seconds}};
}

}  // namespace

std::uint64_t TrialCost::bytes() const {
  std::uint64_t sum = kProcessBytes + estimate.bytes;
  for (const LoadedData& entry : data) sum += entry.bytes;
  return sum;
}

std::vector<TrialCost> CostsOf(const std::vector<PlannedSpec>& specs, const Calibration& calibration,
                               const IsDone& is_done) {
  std::vector<TrialCost> costs;
  std::set<std::string> files;
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials) {
      const auto file = spec.folder / trial.FileName();
      if (!files.insert(file.string()).second) continue;
      const bool is_done_already = is_done(file, trial);
      if (!costs.empty() && SameSetting(trial, *costs.back().trial)) {
        TrialCost& cost = costs.emplace_back(costs.back());
        cost.spec = &spec;
        cost.trial = &trial;
        cost.done = is_done_already;
        continue;
      }
      costs.push_back({.spec = &spec,
                       .trial = &trial,
                       .estimate = calibration.EstimateTrial(trial),
                       .data = calibration.DataOf(trial),
                       .load_seconds = calibration.LoadSeconds(trial),
                       .kernel_value_seconds = calibration.RatesOf(trial).ValueOf(trial.cost),
                       .done = is_done_already});
    }
  return costs;
}

void CostTotals::Add(const TrialCost& cost) {
  ++trials;
  folds += cost.trial->fold() ? 1 : 0;
  synthetic += cost.trial->synthetic ? 1 : 0;
  done += cost.done ? 1 : 0;
  evaluations += cost.estimate.computed + cost.estimate.evaluation;
  seconds += cost.estimate.seconds;
  left_seconds += cost.done ? 0 : cost.estimate.seconds;
  bytes = std::max(bytes, cost.bytes());
  if (longest == nullptr || cost.estimate.seconds > longest->estimate.seconds) longest = &cost;
}

CostTotals TotalsOf(const std::vector<TrialCost>& costs) {
  CostTotals totals;
  for (const TrialCost& cost : costs) totals.Add(cost);
  return totals;
}

double CriticalSeconds(const std::vector<TrialCost>& costs) {
  std::map<std::string, double> alone;
  for (const TrialCost& cost : costs) alone[cost.trial->id] = cost.estimate.seconds;
  double longest = 0;
  for (const TrialCost& cost : costs) {
    double before = 0;
    for (const std::string& id : cost.trial->Needs()) before = std::max(before, alone[id]);
    longest = std::max(longest, before + cost.estimate.seconds);
  }
  return longest;
}

json PlanJson(const std::string& tier, const std::vector<TrialCost>& costs) {
  const CostTotals totals = TotalsOf(costs);
  json trials = json::array();
  for (const TrialCost& cost : costs) trials.push_back(TrialJson(cost));
  const json provenance = BuildProvenance();
  return {
      {"format", 1},
      {"tier", tier},
      {"machine", {{"cpu", provenance["cpu"]}, {"target", provenance["target"]}, {"cores", CoresToUse(0)}}},
      {"totals",
       {{"trials", totals.trials},
        {"folds", totals.folds},
        {"done", totals.done},
        {"seconds", totals.seconds},
        {"left_seconds", totals.left_seconds},
        {"critical_seconds", CriticalSeconds(costs)},
        {"kernel_evaluations", totals.evaluations},
        {"longest", totals.longest == nullptr ? json() : json(totals.longest->trial->id)}}},
      {"trials", trials}};
}

}  // namespace okbench
