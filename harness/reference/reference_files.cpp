#include "harness/reference/reference_files.h"

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/whole_file.h"
#include "harness/reference/reference.h"
#include "harness/results/result_folder.h"
#include "harness/system/json_file.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct PlannedTrace {
  std::string id;
  fs::path file;
};

// Traces and references of one experiment, by trial name.
using Traces = std::map<std::string, PlannedTrace>;
using References = std::map<std::string, json>;

// Traces that the plans below `results` name, by experiment and trial name.
std::map<std::string, Traces> TracesOf(const fs::path& results) {
  std::map<std::string, Traces> traces;
  for (const auto& entry : fs::recursive_directory_iterator(results)) {
    if (entry.path().filename() != "plan.json") continue;
    const json plan = ReadJson(entry.path());
    for (const json& trial : plan.at("trials"))
      traces[plan.at("experiment")][trial.at("name")] = {
          trial.at("id"), entry.path().parent_path() / trial.at("file").get<std::string>()};
  }
  return traces;
}

References ReadReferences(const fs::path& path) try {
  References references;
  if (!fs::exists(path)) return references;
  const json content = ReadJson(path);
  if (content.at("format") != 1) throw TraceError(path.string() + ": not a reference file of format 1");
  for (const auto& [name, reference] : content.at("trials").get<json::object_t>())
    references[name] = reference.get<json::object_t>();
  return references;
} catch (const json::exception&) {
  throw TraceError(path.string() + ": not a reference file of format 1");
}

std::string TextOf(const References& references) {
  // One line per trial, so that a diff shows which trials changed.
  std::string text = "{\"format\": 1, \"trials\": {\n";
  for (const auto& [name, reference] : references)
    text += json(name).dump() + ": " + reference.dump() + (name == references.rbegin()->first ? "\n" : ",\n");
  return text + "}}\n";
}

// Reference files of experiments that no longer exist. Ignores files that are not references.
std::vector<fs::path> StaleReferences(const fs::path& folder,
                                      const std::map<std::string, Traces>& experiments) {
  std::vector<fs::path> stale;
  if (!fs::is_directory(folder)) return stale;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json" ||
        experiments.contains(fs::relative(entry.path(), folder).replace_extension().string()))
      continue;
    const json content = ParseJson(WholeFile<TraceError>(entry.path().string()));
    if (content.is_object() && content.value("trials", json()).is_object() &&
        content.value("format", json()) == 1)
      stale.push_back(entry.path());
  }
  std::sort(stale.begin(), stale.end());
  return stale;
}

// A reference without its tables.
json Head(const json& reference) {
  json head = reference;
  head.erase("tables");
  return head;
}

std::string MessageOf(const fs::path& failure) {
  if (!fs::exists(failure)) return "did not run";
  const json record = ReadJson(failure);
  return record.value("kind", "failed") + ": " + record.value("message", "");
}

// Completes `checked`, in which only the names and the id are set. Adds the reference of the trace to `now`,
// and its learning time to `seconds`.
CheckedTrial CompareTrial(CheckedTrial checked, const fs::path& file, const References& before,
                          References& now, double& seconds) {
  const std::string& name = checked.name;
  const auto entry = before.find(name);
  if (entry != before.end()) checked.before = Head(entry->second);
  if (!HasTrace(file)) {
    checked.state = ReferenceState::kFailed;
    checked.lines = {MessageOf(FailureFile(file))};
    return checked;
  }
  const Trace trace = ReadTrace(file.string());
  seconds += trace.provenance.at("wall_seconds").get<double>();
  checked.after = Head(now[name] = MakeReference(trace));
  if (entry == before.end()) {
    checked.state = ReferenceState::kNew;
    checked.lines = {"is not in the reference"};
    return checked;
  }
  ReferenceDifference difference = CompareWithReference(entry->second, trace);
  if (difference.lines.empty()) return checked;
  checked.state = ReferenceState::kChanged;
  checked.lines = std::move(difference.lines);
  checked.first = std::move(difference.first);
  const auto same = [&checked](const char* pointer) {
    return PartOf(checked.before, pointer) == PartOf(checked.after, pointer);
  };
  // Results of a system library: compare only the values that rounding cannot change.
  if (const std::string library = LibraryIfOtherArchitecture(entry->second, trace);
      !library.empty() && same("/revisions") && same("/summary/kernel_evaluations") &&
      same("/summary/examples")) {
    checked.state = ReferenceState::kLibrary;
    checked.lines = {"is not compared: " + library + " computes it, and the reference was made on " +
                     entry->second.at("processor").dump()};
    now[name] = entry->second;
  }
  return checked;
}

// Adds to the report the trials of an experiment that have a reference and are not in the plan.
void AddMissing(const std::string& experiment, const References& before, const Traces& traces,
                ReferenceReport& report) {
  for (const auto& [name, reference] : before)
    if (!traces.contains(name))
      report.trials.push_back({.state = ReferenceState::kMissing,
                               .experiment = experiment,
                               .name = name,
                               .lines = {"is in the reference, but not in the plan"},
                               .before = Head(reference)});
}

void LogTrial(const CheckedTrial& trial, const LogFn& log) {
  if (trial.state == ReferenceState::kSame) return;
  const std::string learner =
      trial.after.is_null() ? "" : " (" + trial.after.at("learner").get<std::string>() + ")";
  log(trial.name + learner + ":");
  for (const std::string& line : trial.lines) log("  " + line);
}

}  // namespace

bool IsChange(ReferenceState state) {
  return state == ReferenceState::kChanged || state == ReferenceState::kNew ||
         state == ReferenceState::kMissing;
}

const char* NameOf(ReferenceState state) {
  switch (state) {
    case ReferenceState::kSame:
      return "same";
    case ReferenceState::kChanged:
      return "changed";
    case ReferenceState::kNew:
      return "new";
    case ReferenceState::kMissing:
      return "missing";
    case ReferenceState::kFailed:
      return "failed";
    case ReferenceState::kLibrary:
      return "library";
  }
  return "";
}

json PartOf(const json& reference, const std::string& pointer) {
  const json::json_pointer place(pointer);
  return reference.is_object() && reference.contains(place) ? reference.at(place) : json();
}

std::size_t ReferenceReport::Count(ReferenceState state) const {
  return static_cast<std::size_t>(
      std::ranges::count(trials, state, [](const CheckedTrial& trial) { return trial.state; }));
}

std::size_t ReferenceReport::compared() const {
  return trials.size() - Count(ReferenceState::kMissing) - Count(ReferenceState::kFailed) -
         Count(ReferenceState::kLibrary);
}

std::size_t ReferenceReport::changes() const {
  // All trials of a removed experiment count as one change.
  const auto own = std::ranges::count_if(trials, [this](const CheckedTrial& trial) {
    return IsChange(trial.state) && std::ranges::find(gone, trial.experiment) == gone.end();
  });
  return static_cast<std::size_t>(own) + gone.size();
}

ReferenceReport CompareWithReferences(const std::string& results, const std::string& folder,
                                      bool all_experiments, const LogFn& log) {
  ReferenceReport report;
  const std::map<std::string, Traces> experiments = TracesOf(results);
  for (const auto& [experiment, traces] : experiments) {
    const fs::path path = fs::path(folder) / (experiment + ".json");
    const References before = ReadReferences(path);
    const std::size_t first = report.trials.size(), changes_before = report.changes();
    References now;
    for (const auto& [name, planned] : traces) {
      report.trials.push_back(CompareTrial({.experiment = experiment, .name = name, .id = planned.id},
                                           planned.file, before, now, report.seconds));
    }
    AddMissing(experiment, before, traces, report);
    for (std::size_t i = first; i < report.trials.size(); ++i) LogTrial(report.trials[i], log);
    if (report.changes() > changes_before) report.files[path.string()] = TextOf(now);
  }
  if (!all_experiments) return report;
  for (const fs::path& path : StaleReferences(folder, experiments)) {
    report.gone.push_back(fs::relative(path, folder).replace_extension().string());
    AddMissing(report.gone.back(), ReadReferences(path), {}, report);
    report.files[path.string()] = "";
    log(report.gone.back() + ":");
    log("  is in the reference, but the experiment does not exist");
  }
  return report;
}

void WriteReferences(const ReferenceReport& report) {
  for (const auto& [path, text] : report.files) {
    if (text.empty()) {
      std::error_code error;
      std::filesystem::remove(path, error);
      if (error) throw TraceError(path + ": cannot be removed: " + error.message());
      continue;
    }
    MakeFolders(fs::path(path).parent_path());
    WriteFileAtomically(path, text.data(), text.size());
  }
}

}  // namespace okbench
