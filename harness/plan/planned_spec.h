#pragma once
// PlannedSpec: the trials of one spec and the folder of their results.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

/// Which specs to plan, and how.
struct PlanRequest {
  std::vector<std::string> specs;      ///< spec files; claims.toml is skipped
  std::vector<std::string> overrides;  ///< path=value
  std::string tier = "default";
  std::string out;  ///< root of the result folders; empty: DefaultFolder()
};

/// results/<tier>, or with overrides results/<tier>-set-<digest of the overrides>.
/// By default, claims and figures read results/<tier>, so overrides do not affect them.
std::string DefaultFolder(const PlanRequest& request);

struct PlannedSpec {
  Spec spec;
  std::vector<Trial> trials;
  std::filesystem::path folder;  ///< folder of its traces: <out>/<experiment>
  /// Data sets that a user's catalogue has replaced. If there are any and PlanRequest::out is empty, the
  /// results are in <DefaultFolder()>-replaced-data, and no claim is judged on them.
  std::vector<std::string> replaced{};
};

/// Reads and plans specs. Throws SpecError for an invalid spec, or if two specs have the same experiment.
std::vector<PlannedSpec> PlanSpecs(const PlanRequest& request, const Catalog& catalog,
                                   const DataFolders& folders);

}  // namespace okbench
