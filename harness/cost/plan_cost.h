#pragma once
// Cost of a plan: estimates per trial and totals.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cost/calibration.h"
#include "harness/plan/planned_spec.h"

namespace okbench {

/// The estimated cost of one trial.
struct TrialCost {
  const PlannedSpec* spec = nullptr;
  const Trial* trial = nullptr;
  TrialEstimate estimate;
  std::vector<LoadedData> data;     ///< data sets in memory
  double load_seconds = 0;          ///< seconds to load `data`
  double kernel_value_seconds = 0;  ///< Rates::ValueOf()
  bool done = false;                ///< already has a result
  /// Memory of a process that runs only this trial, in bytes.
  std::uint64_t bytes() const;
};

/// True if `file` holds the result of `trial`.
using IsDone = std::function<bool(const std::filesystem::path& file, const Trial& trial)>;

/// Costs of all trials, one per trace file, in the order of the plans. `specs` must outlive the result.
std::vector<TrialCost> CostsOf(const std::vector<PlannedSpec>& specs, const Calibration& calibration,
                               const IsDone& is_done);

/// Totals over trials.
struct CostTotals {
  /// Numbers of trials: all, search trials, those with results, and those on synthetic data.
  std::size_t trials = 0, folds = 0, done = 0, synthetic = 0;
  /// Seconds of one core for all trials and for those without results; kernel values of all trials.
  double seconds = 0, left_seconds = 0, evaluations = 0;
  const TrialCost* longest = nullptr;  ///< trial with the most seconds; null: no trials
  std::uint64_t bytes = 0;             ///< memory of the trial that needs most
  void Add(const TrialCost& cost);
};

CostTotals TotalsOf(const std::vector<TrialCost>& costs);

/// Length of the critical path in seconds: the shortest possible run with unlimited cores.
double CriticalSeconds(const std::vector<TrialCost>& costs);

/// The plan, its costs and this machine as JSON. Format: docs/reference/traces.md, `okbench plan --json`.
nlohmann::json PlanJson(const std::string& tier, const std::vector<TrialCost>& costs);

}  // namespace okbench
