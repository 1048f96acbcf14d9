#pragma once
// Finds traces and failure records below a folder.

#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "harness/results/plan_file.h"

namespace okbench {

/// Whether a file is a trace (.h5) or a failure record (.failed.json), by its name.
bool IsTrace(const std::filesystem::path& path);
bool IsFailureRecord(const std::filesystem::path& path);

/// The results in one folder, by the names of trace files. A folder that does not exist has none.
class FolderListing {
 public:
  explicit FolderListing(const std::filesystem::path& folder);

  /// Whether the folder has a failure record for this trace. The record takes precedence over the trace.
  bool HasFailure(const std::string& file) const { return failures_.contains(file); }
  /// Whether the trace has a file.
  bool HasFile(const std::string& file) const { return traces_.contains(file); }
  /// Number of trace files.
  std::size_t files() const { return traces_.size(); }
  /// Failure records, and trace files without one, sorted by name.
  std::vector<std::string> names() const;

 private:
  std::unordered_set<std::string> traces_, failures_;
};

/// The folders below a folder, and itself, that have a plan.json or results. Sorted.
std::vector<std::filesystem::path> ResultFoldersBelow(const std::filesystem::path& folder);

/// The paths of all traces below a folder, relative to it and sorted. In a folder with a plan, only those of
/// the plan, also those in segments. Throws TraceError for an invalid plan.
std::vector<std::string> TracesBelow(const std::filesystem::path& folder);

}  // namespace okbench
