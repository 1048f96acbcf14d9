#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/commands/commands.h"
#include "harness/run/runner.h"
#include "harness/store/reference.h"
#include "harness/store/trace_file.h"
#include "harness/system/error.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A folder of its own, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "okbench-check-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw TraceError(name + ": cannot be made");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

json ReadJsonFile(const fs::path& path) {
  std::ifstream file(path);
  json content = json::parse(file, nullptr, false);
  if (content.is_discarded()) throw TraceError(path.string() + ": is not JSON");
  return content;
}

fs::path FileOf(const fs::path& folder, const std::string& experiment) {
  return folder / (experiment + ".json");
}

// Traces of the folder of results, by experiment and trial name.
std::map<std::string, std::map<std::string, fs::path>> TracesOf(const fs::path& results) {
  std::map<std::string, std::map<std::string, fs::path>> traces;
  for (const auto& entry : fs::recursive_directory_iterator(results)) {
    if (entry.path().filename() != "plan.json") continue;
    const json plan = ReadJsonFile(entry.path());
    for (const json& trial : plan.at("trials"))
      traces[plan.at("experiment")][trial.at("name")] =
          entry.path().parent_path() / trial.at("file").get<std::string>();
  }
  return traces;
}

std::map<std::string, json> ReadReferences(const fs::path& path) {
  std::map<std::string, json> references;
  if (!fs::exists(path)) return references;
  const json content = ReadJsonFile(path);
  if (!content.contains("trials") || content.value("format", 0) != 1)
    throw TraceError(path.string() + ": not a reference file of format 1");
  for (const auto& [name, reference] : content.at("trials").items()) references[name] = reference;
  return references;
}

void WriteReferences(const fs::path& path, const std::map<std::string, json>& references) {
  // One trial a line: a change shows which trials it touches.
  std::string text = "{\"format\": 1, \"trials\": {\n";
  for (const auto& [name, reference] : references)
    text += json(name).dump() + ": " + reference.dump() + (name == references.rbegin()->first ? "\n" : ",\n");
  text += "}}\n";
  fs::create_directories(path.parent_path());
  WriteFileAtomically(path.string(), text.data(), text.size());
}

// Reference files of experiments that are gone; files that are no references are left alone.
std::vector<fs::path> StaleReferences(const fs::path& folder,
                                      const std::map<std::string, std::map<std::string, fs::path>>& found) {
  std::vector<fs::path> stale;
  if (!fs::is_directory(folder)) return stale;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json" ||
        found.contains(fs::relative(entry.path(), folder).replace_extension().string()))
      continue;
    std::ifstream file(entry.path());
    const json content = json::parse(file, nullptr, false);
    if (content.is_object() && content.contains("trials") && content.value("format", 0) == 1)
      stale.push_back(entry.path());
  }
  return stale;
}

// Compares one experiment; fills `now`; returns how many trials differ.
std::size_t CheckExperiment(const std::map<std::string, json>& before,
                            const std::map<std::string, fs::path>& traces, std::map<std::string, json>& now,
                            std::size_t& same, double& seconds) {
  std::size_t different = 0;
  for (const auto& [name, path] : traces) {
    const Trace trace = ReadTrace(path.string());
    seconds += trace.provenance.at("wall_seconds").get<double>();
    now[name] = MakeReference(trace);
    const auto found = before.find(name);
    std::vector<std::string> lines = {"is not in the reference"};
    if (found != before.end()) lines = CompareWithReference(found->second, trace);
    if (lines.empty()) {
      ++same;
      continue;
    }
    ++different;
    fmt::print("{} ({}):\n", name, trace.spec.at("learner").get<std::string>());
    for (const std::string& line : lines) fmt::print("  {}\n", line);
  }
  for (const auto& [name, reference] : before)
    if (!traces.contains(name)) {
      ++different;
      fmt::print("{}:\n  is in the reference, but no more in the plan\n", name);
    }
  return different;
}

}  // namespace

int CheckCommand(const CheckOptions& options, const Catalog& catalog) {
  const fs::path folder = options.reference.empty() ? fs::path(HomeFolder()) / "results" / "reference"
                                                    : fs::path(options.reference);
  if (!options.update && !fs::is_directory(folder))
    throw SpecError(folder.string() + ": no such folder of references; okbench check --update writes one");
  const Scratch scratch;
  RunOptions run;
  run.specs = options.specs.empty() ? KnownSpecs() : options.specs;
  run.tier = "quick";
  run.out = scratch.File("results");
  run.quiet = true;
  run.jobs = options.jobs;
  // Generated data alone: the same everywhere, without any file.
  const int status = Run(run, catalog, {.cache = scratch.File("no-data"), .mirror = ""});
  if (status != 0) return status;

  std::size_t different = 0, trials = 0, same = 0;
  double seconds = 0;
  const auto found = TracesOf(run.out);
  for (const auto& [experiment, traces] : found) {
    const fs::path path = FileOf(folder, experiment);
    std::map<std::string, json> now;
    const std::size_t changed = CheckExperiment(ReadReferences(path), traces, now, same, seconds);
    different += changed;
    trials += traces.size();
    if (options.update && changed > 0) WriteReferences(path, now);
  }
  // Experiments that are gone, when all of them were asked for.
  if (options.specs.empty())
    for (const fs::path& path : StaleReferences(folder, found)) {
      ++different;
      fmt::print("{}:\n  is in the reference, but there is no such experiment\n",
                 fs::relative(path, folder).replace_extension().string());
      if (options.update) fs::remove(path);
    }
  fmt::print("{} of {} trials as in the reference; {:.1f} s of learning (reported, not compared)\n", same,
             trials, seconds);
  if (different == 0) return 0;
  if (options.update) {
    fmt::print("the reference is renewed: {} {}\n", different, different == 1 ? "change" : "changes");
    return 0;
  }
  fmt::print("when this change is meant: okbench check --update\n");
  return 1;
}

}  // namespace okbench
