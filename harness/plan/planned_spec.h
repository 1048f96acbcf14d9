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
  bool no_synthetic = false;  ///< leave out trials on synthetic fallbacks
  bool replace = false;       ///< data sets of datasets/replacements.toml
  std::string out;            ///< root of the result folders; empty: DefaultFolder()
};

/// results/<tier>, or with overrides results/<tier>-set-<digest of the overrides>.
/// By default, claims and figures read results/<tier>, so overrides do not affect them.
std::string DefaultFolder(const PlanRequest& request);

struct PlannedSpec {
  Spec spec;
  std::vector<Trial> trials;
  std::filesystem::path folder;  ///< folder of its traces: <out>/<experiment>
  /// Data sets that another catalog has replaced. If there are any and PlanRequest::out is empty, the
  /// results are in <DefaultFolder()>-replaced-data. They are not results of the paper's data.
  std::vector<std::string> replaced{};
  bool replace = false;       ///< PlanRequest::replace
  bool no_synthetic = false;  ///< PlanRequest::no_synthetic
};

/// Reads and plans specs. Throws SpecError for an invalid spec, or if two specs have the same experiment.
std::vector<PlannedSpec> PlanSpecs(const PlanRequest& request, const Catalog& catalog,
                                   const DataFolders& folders);

}  // namespace okbench
