#include "harness/results/result_files.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "harness/results/result_folder.h"
#include "harness/trace/segment_index.h"

namespace okbench {

namespace fs = std::filesystem;

bool IsTrace(const fs::path& path) { return path.extension() == ".h5" && !IsSegment(path); }

bool IsFailureRecord(const fs::path& path) { return path.filename().string().ends_with(".failed.json"); }

FolderListing::FolderListing(const fs::path& folder) {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (!entry.is_regular_file()) continue;
    const fs::path& path = entry.path();
    if (IsTrace(path)) traces_.insert(path.filename().string());
    if (IsFailureRecord(path)) failures_.insert(path.stem().stem().string() + ".h5");
  }
}

std::vector<std::string> FolderListing::names() const {
  std::vector<std::string> names;
  for (const std::string& file : traces_)
    if (!HasFailure(file)) names.push_back(file);
  for (const std::string& file : failures_) names.push_back(FailureFile(file).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<fs::path> ResultFoldersBelow(const fs::path& folder) {
  std::set<fs::path> folders;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.filename() == "plan.json" ||
        (entry.is_regular_file() && (path.extension() == ".h5" || IsFailureRecord(path))))
      folders.insert(path.parent_path());
  }
  return {folders.begin(), folders.end()};
}

std::vector<std::string> TracesBelow(const fs::path& folder) {
  std::vector<std::string> traces;
  for (const fs::path& result_folder : ResultFoldersBelow(folder)) {
    const FolderListing listing(result_folder);
    const auto packed = SegmentIndex::Of(result_folder);
    const fs::path below = fs::relative(result_folder, folder);
    const auto add = [&](const std::string& name) {
      if ((listing.HasFile(name) || packed->Find(name)) && !listing.HasFailure(name))
        traces.push_back((below / name).lexically_normal());
    };
    if (fs::exists(result_folder / "plan.json"))
      VisitPlan(result_folder / "plan.json", [&](PlanEntry&& entry) { add(entry.file); });
    else
      for (const std::string& name : listing.names()) add(name);
  }
  std::sort(traces.begin(), traces.end());
  return traces;
}

}  // namespace okbench
