#pragma once
// The quick tier on generated data alone: the same everywhere, without any file of data.

#include <string>
#include <vector>

#include "datasets/load.h"
#include "harness/plan/planned_spec.h"

namespace okbench {

/// Folders in which no data lies; `folder` need not be there.
DataFolders NoData(const std::string& folder);

/// Plans of specs (none: all known ones) with results below `out`; nothing is written. Throws SpecError.
std::vector<PlannedSpec> PlanQuick(const std::vector<std::string>& specs, const std::string& out,
                                   const std::string& no_data, const Catalog& catalog);

/// The folder of references of the project.
std::string ReferenceFolder();

}  // namespace okbench
