#include "harness/store/merge.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "harness/store/json_file.h"
#include "harness/store/result_folder.h"
#include "harness/store/verify.h"
#include "harness/system/names.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One experiment: its plan, and the folders that contain results of it.
struct Experiment {
  json plan;
  fs::path from;                  // file of the first plan found
  std::vector<fs::path> folders;  // in the order found
};

std::string Content(const fs::path& path) { return WholeFile<SpecError>(path.string()); }

// Trial ids in the order of the plan.
std::vector<std::string> Ids(const json& plan) {
  std::vector<std::string> ids;
  for (const json& trial : plan.at("trials")) ids.push_back(trial.at("id"));
  return ids;
}

// Validates the names that become paths, and the fields of trials that Merge reads. Throws TraceError for an
// unsafe name, and json::exception for an invalid plan.
void CheckNames(const json& plan, const fs::path& from) {
  const std::string experiment = plan.at("experiment");
  if (!IsInnerName(experiment))
    throw TraceError(from.string() + ": '" + experiment + "' is not a valid experiment name");
  for (const json& trial : plan.at("trials")) {
    InnerFile(from.parent_path(), trial.at("file").get<std::string>(), from.string());
    if (!IsInnerName(trial.at("name").get<std::string>()))
      throw TraceError(from.string() + ": a trial has an invalid name");
    (void)trial.at("id").get<std::string>();
  }
}

std::map<std::string, Experiment> FindExperiments(const std::vector<std::string>& folders) {
  std::map<std::string, Experiment> found;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw SpecError(folder + ": no such folder");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().filename() != "plan.json") continue;
      try {
        const json plan = ParseJson(Content(entry.path()));
        CheckNames(plan, entry.path());
        Experiment& experiment = found[plan.at("experiment")];
        experiment.folders.push_back(entry.path().parent_path());
        if (experiment.from.empty()) {
          experiment.plan = plan;
          experiment.from = entry.path();
        } else if (Ids(plan) != Ids(experiment.plan)) {
          throw SpecError(entry.path().string() + " and " + experiment.from.string() +
                          ": the plans differ in specs, tier or data");
        }
      } catch (const json::exception&) {
        throw SpecError(entry.path().string() + ": not a valid plan; okbench run rewrites it");
      }
    }
  }
  if (found.empty()) throw SpecError("no plan.json below these folders; okbench run writes one");
  return found;
}

// Digest and facts of a valid trace of this trial. Otherwise nothing, and the reason goes to `log`.
std::optional<std::string> ValidContent(const fs::path& path, const std::string& id, const LogFn& log) {
  if (!HasTrace(path)) return std::nullopt;
  try {
    const Trace trace = ReadVerifiedTrace(path.string());
    if (trace.trial_id == id) return trace.Digest() + trace.Facts().dump();
    log(path.string() + ": belongs to trial " + trace.trial_id + ", not " + id);
  } catch (const TraceError& error) {
    log(error.what());
  }
  return std::nullopt;
}

// Why a trial has no trace: "failed: KIND" if a folder contains a failure record, else "missing".
std::string Cause(const Experiment& experiment, const std::string& file) {
  for (const fs::path& folder : experiment.folders) {
    const fs::path record = FailureFile(folder / file);
    if (!fs::exists(record)) continue;
    const json content = ParseJson(Content(record));
    const bool tells = content.is_object() && content.contains("kind") && content["kind"].is_string();
    return "failed: " + (tells ? content["kind"].get<std::string>() : "unknown");
  }
  return "missing";
}

void MergeTrial(const Experiment& experiment, const json& trial, const fs::path& out, MergeReport& report,
                const LogFn& log) {
  const std::string id = trial.at("id"), file = trial.at("file"), name = trial.at("name");
  fs::path chosen;
  std::string digest;
  for (const fs::path& folder : experiment.folders) {
    const auto found = ValidContent(folder / file, id, log);
    if (!found) continue;
    if (chosen.empty()) {
      chosen = folder / file;
      digest = *found;
    } else if (*found != digest) {
      log(chosen.string() + " and " + (folder / file).string() + ": digests differ for trial " + name);
      ++report.contradicting;
      return;
    }
  }
  if (chosen.empty()) {
    log(name + " (" + id + "): " + Cause(experiment, file));
    ++report.missing;
    return;
  }
  ++report.whole;
  const fs::path target = out.empty() ? fs::path() : InnerFile(out, file, "--out");
  if (out.empty() || (fs::exists(target) && fs::equivalent(chosen, target))) return;
  const std::string bytes = Content(chosen);
  RemoveFailure(target);
  WriteFileAtomically(target.string(), bytes.data(), bytes.size());
  ++report.copied;
}

}  // namespace

MergeReport Merge(const std::vector<std::string>& folders, const std::string& out, const LogFn& log) {
  MergeReport report;
  for (const auto& [name, experiment] : FindExperiments(folders)) {
    const fs::path target = out.empty() ? fs::path() : fs::path(out) / name;
    if (!out.empty()) {
      MakeFolders(target);
      RemoveLeftovers(target);
      WriteJson(target / "plan.json", experiment.plan);
    }
    for (const json& trial : experiment.plan.at("trials")) {
      ++report.planned;
      MergeTrial(experiment, trial, target, report, log);
    }
  }
  return report;
}

}  // namespace okbench
