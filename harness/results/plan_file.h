#pragma once
// plan.json: the planned trials of an experiment, in its result folder. The plan determines which traces
// figures and summaries use.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/planned_spec.h"

namespace okbench {

/// One trial of a plan.
struct PlanEntry {
  std::string id, name;
  std::string file;  ///< name of its trace file, in the folder of the plan
  std::string learner_key, grid_point;
  std::string data;      ///< name of the data set
  nlohmann::json batch;  ///< rows of a mini-batch; null without mini-batches
  std::uint64_t repetition = 0;
  std::optional<std::uint64_t> fold;  ///< number of the fold; none: no fold
  std::optional<bool> synthetic;      ///< empty in plans of older programs
  /// The whole entry of the file: also axes, label, tuned and needs. Null if only the fields above were read.
  nlohmann::json content;
};

/// The entry that a plan has for a trial.
PlanEntry EntryOf(const Trial& trial);

/// A plan in memory.
struct PlanFile {
  nlohmann::json header;  ///< everything but the trials
  std::vector<PlanEntry> trials;

  std::string experiment() const { return header.at("experiment"); }
};

/// The text of plan.json. One trial per line.
std::string PlanText(const PlannedSpec& spec);

/// Writes plan.json into the spec's folder, and creates the folder if needed. Throws SpecError or TraceError.
void WritePlan(const PlannedSpec& spec);

/// Whether the folder has a valid plan that contains every trial of `ids` that belongs to the spec.
bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids);

/// Whether plan.json in the spec's folder is the plan of the spec, byte for byte.
bool IsCurrentPlan(const PlannedSpec& spec);

/// Reads a plan. Keeps less than 1 KB per trial, without PlanEntry::content. Throws TraceError if the file is
/// unreadable or not a valid plan, if a name leads out of its folder, or if a trial occurs twice.
PlanFile ReadPlan(const std::filesystem::path& path, bool content = false);

/// Passes the trials of a plan to `visit`, in the order of the plan, and keeps none of them. `content`: sets
/// PlanEntry::content. Returns the header. Throws as ReadPlan(), possibly after some visits.
nlohmann::json VisitPlan(const std::filesystem::path& path, const std::function<void(PlanEntry&&)>& visit,
                         bool content = false);

/// Reads everything but the trials. Throws as ReadPlan(), but does not examine the trials.
nlohmann::json ReadPlanHeader(const std::filesystem::path& path);

}  // namespace okbench
