#pragma once
// PlannedSpec: the trials of one spec and where their results lie.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

/// Which specs to plan, and how.
struct PlanRequest {
  std::vector<std::string> specs;      ///< files; claims beside them are passed over
  std::vector<std::string> overrides;  ///< path=value
  std::string tier = "default";
  std::string out;  ///< result folder; empty: DefaultFolder
};

/// results/<tier>; with overrides a folder of their own, results/<tier>-set-<digest of the overrides>, so
/// that their results never lie where claims and figures look for the spec's.
std::string DefaultFolder(const PlanRequest& request);

struct PlannedSpec {
  Spec spec;
  std::vector<Trial> trials;
  std::filesystem::path folder;  ///< of its traces
};

/// Reads and plans specs. Throws SpecError, also when two specs are of one experiment.
std::vector<PlannedSpec> PlanSpecs(const PlanRequest& request, const Catalog& catalog,
                                   const DataFolders& folders);

}  // namespace okbench
