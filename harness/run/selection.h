#pragma once
// Selection: the planned trials that a run covers.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/planned_spec.h"

namespace okbench {

/// A trial to run.
struct Work {
  const Trial* trial;                   ///< owned by the plan
  const std::filesystem::path* folder;  ///< folder of its trace, owned by the plan
  bool packed = false;                  ///< its result goes into a segment
  double cost = 0;                      ///< expected seconds; set for trials that must run

  /// Path of its trace.
  std::filesystem::path file() const { return *folder / trial->FileName(); }
};

/// Filters for trials. By default selects all.
struct Selection {
  std::string only;                 ///< glob over trial names, or an id; also selects required search trials
  std::vector<std::string> trials;  ///< ids; if not empty, selects exactly these and ignores `only`
};

/// The selected trials, in the order of the plans. `specs` must outlive the result. `pack`: packs the results
/// of plans of any size, else of those with more than kPackedPlan trials.
/// Throws SpecError if no trial matches, an id is unknown, or a trial selected by id needs a search trial
/// that is neither selected nor finished.
std::vector<Work> Select(const std::vector<PlannedSpec>& specs, const Selection& selection,
                         bool pack = false);

}  // namespace okbench
