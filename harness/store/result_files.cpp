#include "harness/store/result_files.h"

#include <tuple>

#include "harness/store/json_file.h"
#include "harness/store/result_folder.h"
#include "harness/system/names.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Positions of trace files in the folder's plan, by file name without extension; nullopt if there is no plan.
using PlanOrder = std::map<std::string, std::size_t>;
std::optional<PlanOrder> ReadPlanOrder(const fs::path& folder, bool folds) {
  const auto planned = ReadPlannedFiles(folder, folds);
  if (!planned) return std::nullopt;
  PlanOrder order;
  for (const PlannedFile& one : *planned) order.emplace(one.file.stem().string(), order.size());
  return order;
}

// File name of a trace or failure record without its extension.
std::string Stem(const fs::path& path) {
  return IsFailureRecord(path) ? path.stem().stem().string() : path.stem().string();
}

}  // namespace

bool IsTrace(const fs::path& path) { return path.extension() == ".h5"; }

bool IsFailureRecord(const fs::path& path) { return path.filename().string().ends_with(".failed.json"); }

std::optional<std::vector<PlannedFile>> ReadPlannedFiles(const fs::path& folder, bool folds) {
  const fs::path plan = folder / "plan.json";
  if (!fs::exists(plan)) return std::nullopt;
  const json content = ReadJson(plan);
  std::vector<PlannedFile> planned;
  try {
    for (const json& trial : content.at("trials"))
      if (folds || trial.at("fold").is_null())
        planned.push_back({InnerFile(folder, trial.at("file").get<std::string>(), plan.string()), trial});
  } catch (const json::exception&) {
    throw TraceError(plan.string() + ": not a valid plan; okbench run rewrites it");
  }
  return planned;
}

std::vector<fs::path> ResultsBelow(const fs::path& folder, bool folds) {
  std::map<fs::path, std::optional<PlanOrder>> plans;
  std::map<std::tuple<fs::path, std::size_t, std::string>, fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (!entry.is_regular_file() || (!IsTrace(path) && !IsFailureRecord(path))) continue;
    auto plan = plans.find(path.parent_path());
    if (plan == plans.end())
      plan = plans.emplace(path.parent_path(), ReadPlanOrder(path.parent_path(), folds)).first;
    const auto& order = plan->second;
    if (order && !order->contains(Stem(path))) continue;
    if (IsTrace(path) && !HasTrace(path)) continue;
    found[{path.parent_path(), order ? order->at(Stem(path)) : 0, path.filename().string()}] = path;
  }
  std::vector<fs::path> paths;
  for (const auto& [key, path] : found) paths.push_back(path);
  return paths;
}

std::size_t OutsidePlan(const fs::path& folder) {
  const auto order = ReadPlanOrder(folder, true);
  if (!order) return 0;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    count += IsTrace(entry.path()) && !order->contains(Stem(entry.path())) ? 1 : 0;
  return count;
}

std::map<std::string, fs::path> TracesBelow(const fs::path& folder) {
  std::map<std::string, fs::path> traces;
  for (const fs::path& path : ResultsBelow(folder, true))
    if (IsTrace(path)) traces[fs::relative(path, folder).string()] = path;
  return traces;
}

}  // namespace okbench
