#pragma once
// Selection: which of the planned trials a run is about.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/planned_spec.h"

namespace okbench {

/// A trial with its file.
struct Work {
  const Trial* trial;
  std::filesystem::path file;
  double cost = 0;  ///< seconds to expect, once it is known that it has to run
};

/// All trials, unless one of these says otherwise.
struct Selection {
  std::string only;                 ///< glob over trial names, or an id: these, with the folds that they need
  std::vector<std::string> trials;  ///< ids; not empty: these alone, whatever `only` says
};

/// The selected trials, in the order of the plans, which must outlive them. Throws SpecError when there is
/// none, an id is unknown, or what a trial named by id needs is neither selected nor over.
std::vector<Work> Select(const std::vector<PlannedSpec>& specs, const Selection& selection);

}  // namespace okbench
