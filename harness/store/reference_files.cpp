#include "harness/store/reference_files.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "harness/store/json_file.h"
#include "harness/store/reference.h"
#include "harness/store/trace_file.h"
#include "harness/system/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Of one experiment, by trial name.
using Traces = std::map<std::string, fs::path>;
using References = std::map<std::string, json>;

// Traces of the folder of results, by experiment and trial name.
std::map<std::string, Traces> TracesOf(const fs::path& results) {
  std::map<std::string, Traces> traces;
  for (const auto& entry : fs::recursive_directory_iterator(results)) {
    if (entry.path().filename() != "plan.json") continue;
    const json plan = ReadJson(entry.path());
    for (const json& trial : plan.at("trials"))
      traces[plan.at("experiment")][trial.at("name")] =
          entry.path().parent_path() / trial.at("file").get<std::string>();
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

void WriteReferences(const fs::path& path, const References& references) {
  // One trial a line: a change shows which trials it touches.
  std::string text = "{\"format\": 1, \"trials\": {\n";
  for (const auto& [name, reference] : references)
    text += json(name).dump() + ": " + reference.dump() + (name == references.rbegin()->first ? "\n" : ",\n");
  text += "}}\n";
  fs::create_directories(path.parent_path());
  WriteFileAtomically(path.string(), text.data(), text.size());
}

// Reference files of experiments that are gone; files that are no references are left alone.
std::vector<fs::path> StaleReferences(const fs::path& folder, const std::map<std::string, Traces>& found) {
  std::vector<fs::path> stale;
  if (!fs::is_directory(folder)) return stale;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json" ||
        found.contains(fs::relative(entry.path(), folder).replace_extension().string()))
      continue;
    const json content = ParseJson(WholeFile<TraceError>(entry.path().string()));
    if (content.is_object() && content.contains("trials") && content.value("format", json()) == 1)
      stale.push_back(entry.path());
  }
  return stale;
}

// Compares one experiment; returns the references of its traces.
References CompareExperiment(const References& before, const Traces& traces, ReferenceReport& report,
                             const Say& say) {
  References now;
  for (const auto& [name, path] : traces) {
    const Trace trace = ReadTrace(path.string());
    ++report.trials;
    report.seconds += trace.provenance.at("wall_seconds").get<double>();
    now[name] = MakeReference(trace);
    const auto found = before.find(name);
    std::vector<std::string> lines = {"is not in the reference"};
    if (found != before.end()) lines = CompareWithReference(found->second, trace);
    if (lines.empty()) {
      ++report.same;
      continue;
    }
    ++report.changes;
    say(name + " (" + trace.spec.at("learner").get<std::string>() + "):");
    for (const std::string& line : lines) say("  " + line);
  }
  for (const auto& [name, reference] : before)
    if (!traces.contains(name)) {
      ++report.changes;
      say(name + ":");
      say("  is in the reference, but no more in the plan");
    }
  return now;
}

}  // namespace

ReferenceReport CompareWithReferences(const std::string& results, const std::string& folder,
                                      bool all_experiments, bool update, const Say& say) {
  ReferenceReport report;
  const std::map<std::string, Traces> found = TracesOf(results);
  for (const auto& [experiment, traces] : found) {
    const fs::path path = fs::path(folder) / (experiment + ".json");
    const std::size_t changes_before = report.changes;
    const References now = CompareExperiment(ReadReferences(path), traces, report, say);
    if (update && report.changes > changes_before) WriteReferences(path, now);
  }
  if (!all_experiments) return report;
  for (const fs::path& path : StaleReferences(folder, found)) {
    ++report.changes;
    say(fs::relative(path, folder).replace_extension().string() + ":");
    say("  is in the reference, but there is no such experiment");
    if (update) fs::remove(path);
  }
  return report;
}

}  // namespace okbench
