#pragma once
// What a plan will cost: its trials one by one, and together.

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

/// A trial with what it will cost.
struct TrialCost {
  const PlannedSpec* spec = nullptr;
  const Trial* trial = nullptr;
  TrialEstimate estimate;
  std::vector<HeldData> data;
  double load_seconds = 0;
  double kernel_value_seconds = 0;
  bool done = false;  ///< has a result already
  /// Memory of a process that runs it alone.
  std::uint64_t bytes() const;
};

/// Whether a file holds the result of a trial.
using IsDone = std::function<bool(const std::filesystem::path& file, const Trial& trial)>;

/// Every trial of the specs, which must outlive the list, once: two entries of a spec may share one.
std::vector<TrialCost> CostsOf(const std::vector<PlannedSpec>& specs, const Calibration& calibration,
                               const IsDone& is_done);

/// Sums over trials.
struct CostTotals {
  std::size_t trials = 0, folds = 0, done = 0, stand_ins = 0;
  double seconds = 0, left_seconds = 0, evaluations = 0;
  const TrialCost* longest = nullptr;
  std::uint64_t bytes = 0;  ///< of the largest
  void Add(const TrialCost& cost);
};

CostTotals TotalsOf(const std::vector<TrialCost>& costs);

/// The longest way through trials and the trials they need, on as many cores as one likes.
double CriticalSeconds(const std::vector<TrialCost>& costs);

/// The plan with its costs and this machine, as docs/trace-format.md describes it.
nlohmann::json PlanJson(const std::string& tier, const std::vector<TrialCost>& costs);

}  // namespace okbench
