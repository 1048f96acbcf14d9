#pragma once
// Selection: the planned trials that a run covers.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/planned_spec.h"

namespace okbench {

/// A trial to run.
struct Work {
  const Trial* trial;          ///< owned by the plan
  std::filesystem::path file;  ///< path of its trace
  double cost = 0;             ///< expected seconds; set for trials that must run
};

/// Filters for trials. By default selects all.
struct Selection {
  std::string only;                 ///< glob over trial names, or an id; also selects required search trials
  std::vector<std::string> trials;  ///< ids; if not empty, selects exactly these and ignores `only`
};

/// The selected trials, in the order of the plans. `specs` must outlive the result.
/// Throws SpecError if no trial matches, an id is unknown, or a trial selected by id needs a search trial
/// that is neither selected nor finished.
std::vector<Work> Select(const std::vector<PlannedSpec>& specs, const Selection& selection);

}  // namespace okbench
