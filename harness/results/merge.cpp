#include "harness/results/merge.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/inner_file.h"
#include "base/whole_file.h"
#include "harness/results/plan_file.h"
#include "harness/results/result_files.h"
#include "harness/results/result_folder.h"
#include "harness/results/result_writer.h"
#include "harness/results/verify.h"
#include "harness/system/json_file.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string Content(const fs::path& path) { return WholeFile<SpecError>(path.string()); }

// One experiment: its plan, and the folders that contain results of it.
struct Experiment {
  PlanFile plan;
  fs::path from;                  // file of the first plan found
  std::vector<fs::path> folders;  // in the order found
};

// The name of the first trial with another id, or with none, in the other plan; "" if there is none.
std::string FirstDifference(const PlanFile& a, const PlanFile& b) {
  for (std::size_t i = 0; i < std::max(a.trials.size(), b.trials.size()); ++i)
    if (i >= a.trials.size() || i >= b.trials.size() || a.trials[i].id != b.trials[i].id)
      return i < a.trials.size() ? a.trials[i].name : b.trials[i].name;
  return "";
}

// Validates the names that become paths. Throws TraceError for an unsafe name.
void CheckNames(const PlanFile& plan, const fs::path& from) {
  if (!IsInnerName(plan.experiment()))
    throw TraceError(from.string() + ": '" + plan.experiment() + "' is not a valid experiment name");
  for (const PlanEntry& trial : plan.trials)
    if (!IsInnerName(trial.name)) throw TraceError(from.string() + ": a trial has an invalid name");
}

std::map<std::string, Experiment> FindExperiments(const std::vector<std::string>& folders) {
  std::map<std::string, Experiment> experiments;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw SpecError(folder + ": no such folder");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().filename() != "plan.json") continue;
      PlanFile plan;
      try {
        plan = ReadPlan(entry.path());
      } catch (const TraceError& error) {
        throw SpecError(error.what());
      }
      CheckNames(plan, entry.path());
      Experiment& experiment = experiments[plan.experiment()];
      experiment.folders.push_back(entry.path().parent_path());
      if (experiment.from.empty()) {
        experiment.plan = std::move(plan);
        experiment.from = entry.path();
      } else if (const std::string trial = FirstDifference(plan, experiment.plan); !trial.empty()) {
        throw SpecError(entry.path().string() + " and " + experiment.from.string() +
                        ": the plans differ in specs, tier or data, first in " + trial +
                        "; run one of them again, or use okbench compare");
      }
    }
  }
  if (experiments.empty()) throw SpecError("no plan.json below these folders; okbench run writes one");
  return experiments;
}

// Digest and facts of a valid trace of this trial. Otherwise nothing, and the reason goes to `log`.
std::optional<std::string> ValidContent(const fs::path& path, const std::string& id, const LogFn& log) {
  if (!HasTrace(path)) return std::nullopt;
  try {
    const Trace trace = ReadVerifiedTrace(path.string());
    if (trace.trial_id == id) return trace.Digest() + trace.ComparableJson().dump();
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

// Merges the trials of one experiment.
class ExperimentMerge {
 public:
  // `out`: folder for the results; empty: verifies only.
  ExperimentMerge(const Experiment& experiment, fs::path out, MergeReport& report, const LogFn& log)
      : experiment_(experiment), out_(std::move(out)), report_(report), log_(log) {}

  void Run() {
    if (!out_.empty()) {
      MakeFolders(out_);
      RemoveLeftovers(out_);
      const std::string plan = Content(experiment_.from);
      WriteFileAtomically((out_ / "plan.json").string(), plan.data(), plan.size());
    }
    const std::unordered_set<std::string> merged = MergeSegments();
    for (const PlanEntry& trial : experiment_.plan.trials) {
      ++report_.planned;
      if (!merged.contains(trial.file)) MergeTrial(trial);
    }
    writer_.Finish();
  }

 private:
  // Merges the segments whose trials are in no other place. Their digests have been verified, so their traces
  // need not be read. Returns the file names of their trials.
  std::unordered_set<std::string> MergeSegments() {
    std::unordered_map<std::string, int> places;  // number of places of each trial
    std::set<std::string> names;                  // of segments; equal names are equal bytes
    for (const fs::path& folder : experiment_.folders) {
      const FolderListing listing(folder);
      const auto index = SegmentIndex::Of(folder);
      for (const std::string& message : index->damaged()) log_(message);
      for (const PlanEntry& trial : experiment_.plan.trials) {
        const auto* place = index->Find(trial.file);
        const bool elsewhere = place && !names.contains(index->segments()[place->segment].filename());
        places[trial.file] += listing.HasFile(trial.file) + listing.HasFailure(trial.file) + elsewhere;
      }
      for (const fs::path& segment : index->segments()) names.insert(segment.filename());
    }
    std::unordered_set<std::string> merged;
    for (const fs::path& folder : experiment_.folders) {
      const auto index = SegmentIndex::Of(folder);
      for (std::uint32_t number = 0; number < index->segments().size(); ++number) {
        const fs::path& path = index->segments()[number];
        if (index->IsDamaged(number)) continue;
        const std::vector<std::string>& files = index->files(number);
        const bool alone = std::ranges::all_of(files, [&](const std::string& file) {
          const auto entry = places.find(file);
          return entry != places.end() && entry->second == 1 && !merged.contains(file);
        });
        if (!alone) continue;
        merged.insert(files.begin(), files.end());
        report_.valid += files.size();
        if (out_.empty() || fs::exists(out_ / path.filename())) continue;
        const std::string bytes = Content(path);
        WriteFileAtomically((out_ / path.filename()).string(), bytes.data(), bytes.size());
        report_.copied += files.size();
      }
    }
    return merged;
  }

  // Copies a failure record of a trial without a result, so that the merged folder says why there is none.
  void CopyFailure(const PlanEntry& trial) {
    if (out_.empty()) return;
    const fs::path target = InnerFile(out_, trial.file, "--out");
    if (HasTrace(target) || fs::exists(FailureFile(target))) return;
    for (const fs::path& folder : experiment_.folders) {
      const fs::path record = FailureFile(folder / trial.file);
      if (!fs::exists(record)) continue;
      const std::string bytes = Content(record);
      WriteFileAtomically(FailureFile(target).string(), bytes.data(), bytes.size());
      return;
    }
  }

  void MergeTrial(const PlanEntry& trial) {
    fs::path chosen;
    std::string digest;
    for (const fs::path& folder : experiment_.folders) {
      const auto content_digest = ValidContent(folder / trial.file, trial.id, log_);
      if (!content_digest) continue;
      if (chosen.empty()) {
        chosen = folder / trial.file;
        digest = *content_digest;
      } else if (*content_digest != digest) {
        log_(chosen.string() + " and " + (folder / trial.file).string() + ": digests differ for trial " +
             trial.name);
        ++report_.contradicting;
        return;
      }
    }
    if (chosen.empty()) {
      log_(trial.name + " (" + trial.id + "): " + Cause(experiment_, trial.file));
      ++report_.missing;
      CopyFailure(trial);
      return;
    }
    ++report_.valid;
    if (out_.empty()) return;
    const fs::path target = InnerFile(out_, trial.file, "--out");
    if (target == chosen || (fs::exists(target) && fs::exists(chosen) && fs::equivalent(chosen, target)))
      return;
    if (experiment_.plan.trials.size() > kPackedPlan || !fs::exists(chosen)) {
      writer_.Pack(target, ReadTrace(chosen.string()), [](const std::string& error) {
        if (!error.empty()) throw TraceError(error);
      });
    } else {
      const std::string bytes = Content(chosen);
      RemoveFailure(target);
      WriteFileAtomically(target.string(), bytes.data(), bytes.size());
    }
    ++report_.copied;
  }

  const Experiment& experiment_;
  fs::path out_;
  MergeReport& report_;
  const LogFn& log_;
  ResultWriter writer_;
};

}  // namespace

MergeReport Merge(const std::vector<std::string>& folders, const std::string& out, const LogFn& log) {
  MergeReport report;
  for (const auto& [name, experiment] : FindExperiments(folders))
    ExperimentMerge(experiment, out.empty() ? fs::path() : fs::path(out) / name, report, log).Run();
  return report;
}

}  // namespace okbench
