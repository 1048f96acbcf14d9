#pragma once
// The quick tier on generated data only. It needs no data files, so its results are equal on every machine.

#include <string>
#include <vector>

#include "datasets/rows/load.h"
#include "harness/plan/planned_spec.h"

namespace okbench {

/// Data folders without data. `folder` must be empty or not exist.
DataFolders NoData(const std::string& folder);

/// Plans specs (empty: all known specs) at the quick tier, with results below `out`. Writes nothing.
/// `no_data`: see NoData. Throws SpecError.
std::vector<PlannedSpec> PlanQuick(const std::vector<std::string>& specs, const std::string& out,
                                   const std::string& no_data, const Catalog& catalog);

/// The folder of the committed references: results/reference in the home folder.
std::string ReferenceFolder();

}  // namespace okbench
