#pragma once
// Results on disk: finding traces and records of failures below a folder.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace okbench {

/// What a file is, by its name.
bool IsTrace(const std::filesystem::path& path);
bool IsFailureRecord(const std::filesystem::path& path);

/// All results below a folder, folders by name, in the order of their plans; where a folder has a plan.json,
/// only those of that plan. `folds`: those of cross validation, too. Throws TraceError for a plan that cannot
/// be read.
std::vector<std::filesystem::path> ResultsBelow(const std::filesystem::path& folder, bool folds);

/// Traces in a folder with a plan that the plan does not name: of other revisions of the code, of other data
/// or other settings. They are left alone and never mixed with the plan's.
std::size_t OutsidePlan(const std::filesystem::path& folder);

/// The traces among them, those of cross validation, too, by their paths below the folder.
std::map<std::string, std::filesystem::path> TracesBelow(const std::filesystem::path& folder);

}  // namespace okbench
