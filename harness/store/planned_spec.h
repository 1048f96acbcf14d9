#pragma once
// PlannedSpec: the trials of one spec and where their results lie.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

struct PlannedSpec {
  Spec spec;
  std::vector<Trial> trials;
  std::filesystem::path folder;  ///< of its traces
};

/// Reads and plans specs (claims beside them are passed over); results lie below `out`, or below
/// results/<tier> when that is empty. Throws SpecError, also when two specs are of one experiment.
std::vector<PlannedSpec> PlanSpecs(const std::vector<std::string>& specs, const std::string& tier,
                                   const std::vector<std::string>& overrides, const std::string& out,
                                   const Catalog& catalog, const DataFolders& folders);

/// Writes plan.json into the spec's folder, making that: it tells figures and summaries which traces belong to
/// the spec as it is now. Throws SpecError or TraceError.
void WritePlan(const PlannedSpec& spec);
/// Whether the folder has a plan that names all of these trials that are the spec's.
bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids);

/// The record of a failure, beside the trace that a trial would have left.
std::filesystem::path FailureFile(const std::filesystem::path& trace);

/// Writes JSON for reading, by rename; bytes that are no UTF-8 (quoted from bad files) are replaced. Throws
/// TraceError.
void WriteJson(const std::filesystem::path& path, const nlohmann::json& content);

/// Whether the file holds the whole result of this trial. `say`, unless empty, is told why a file does not
/// count.
bool HasResult(const std::filesystem::path& file, const Trial& trial,
               const std::function<void(const std::string&)>& say = {});

}  // namespace okbench
