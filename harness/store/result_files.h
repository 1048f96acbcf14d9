#pragma once
// Finds traces and failure records below a folder.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace okbench {

/// Whether a file is a trace (.h5) or a failure record (.failed.json), by its name.
bool IsTrace(const std::filesystem::path& path);
bool IsFailureRecord(const std::filesystem::path& path);

/// A trial of a folder's plan and the file of its trace, which may not exist.
struct PlannedFile {
  std::filesystem::path file;
  nlohmann::json trial;  ///< its entry in plan.json
};

/// The trials of a folder's plan.json, in order; nullopt if there is no plan. `folds`: includes the trials of
/// cross-validation. Throws TraceError for an invalid plan.
std::optional<std::vector<PlannedFile>> ReadPlannedFiles(const std::filesystem::path& folder, bool folds);

/// All results below a folder, sorted by folder name, then by position in the plan. In a folder with a
/// plan.json, only the results of that plan count. `folds`: includes cross-validation trials.
/// Throws TraceError for an invalid plan.
std::vector<std::filesystem::path> ResultsBelow(const std::filesystem::path& folder, bool folds);

/// Number of traces in a folder that its plan does not name, because they are from another revision of the
/// code, other data or other settings. 0 if the folder has no plan.
std::size_t OutsidePlan(const std::filesystem::path& folder);

/// The traces among ResultsBelow(folder, true), by relative path.
std::map<std::string, std::filesystem::path> TracesBelow(const std::filesystem::path& folder);

}  // namespace okbench
