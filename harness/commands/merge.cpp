#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/commands/commands.h"
#include "harness/store/planned_spec.h"
#include "harness/store/trace_file.h"
#include "harness/system/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One experiment: its plan, and the folders that hold something of it.
struct Experiment {
  json plan;
  fs::path from;  // where the plan was read
  std::vector<fs::path> folders;
};

struct Tally {
  std::size_t planned = 0, whole = 0, copied = 0, missing = 0, contradicting = 0;
};

std::string Content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw SpecError(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Ids in the order of the plan.
std::vector<std::string> Ids(const json& plan) {
  std::vector<std::string> ids;
  for (const json& trial : plan.at("trials")) ids.push_back(trial.at("id"));
  return ids;
}

std::map<std::string, Experiment> FindExperiments(const std::vector<std::string>& folders) {
  std::map<std::string, Experiment> found;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw SpecError(folder + ": no such folder");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().filename() != "plan.json") continue;
      try {
        const json plan = json::parse(Content(entry.path()));
        Experiment& experiment = found[plan.at("experiment")];
        experiment.folders.push_back(entry.path().parent_path());
        if (experiment.from.empty()) {
          experiment.plan = plan;
          experiment.from = entry.path();
        } else if (Ids(plan) != Ids(experiment.plan)) {
          throw SpecError(entry.path().string() + " and " + experiment.from.string() +
                          ": the plans differ; they are of other specs, tiers or data");
        }
      } catch (const json::exception&) {
        throw SpecError(entry.path().string() + ": not a valid plan; okbench run writes it anew");
      }
    }
  }
  if (found.empty()) throw SpecError("no plan.json below these folders; okbench run writes them");
  return found;
}

// The trace of a trial, when the file is whole and belongs to it; else says why not.
std::optional<std::string> ValidDigest(const fs::path& path, const std::string& id) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const Trace trace = ReadTrace(path.string());
    if (trace.trial_id == id) return trace.Digest();
    fmt::print("{}: belongs to trial {}, not {}\n", path.string(), trace.trial_id, id);
  } catch (const TraceError& error) {
    fmt::print("{}\n", error.what());
  }
  return std::nullopt;
}

// Why a trial without a trace has none, where a folder tells.
std::string Cause(const Experiment& experiment, const std::string& file) {
  for (const fs::path& folder : experiment.folders) {
    const fs::path record = FailureFile(folder / file);
    if (!fs::exists(record)) continue;
    const json content = json::parse(Content(record), nullptr, false);
    if (content.is_object()) return "failed: " + content.value("kind", "unknown");
  }
  return "missing";
}

void MergeTrial(const Experiment& experiment, const json& trial, const fs::path& out, Tally& tally) {
  const std::string id = trial.at("id"), file = trial.at("file"), name = trial.at("name");
  fs::path chosen;
  std::string digest;
  for (const fs::path& folder : experiment.folders) {
    const auto found = ValidDigest(folder / file, id);
    if (!found) continue;
    if (chosen.empty()) {
      chosen = folder / file;
      digest = *found;
    } else if (*found != digest) {
      fmt::print("{} and {}: the same trial {} with other digests\n", chosen.string(),
                 (folder / file).string(), name);
      ++tally.contradicting;
      return;
    }
  }
  if (chosen.empty()) {
    fmt::print("{} ({}): {}\n", name, id, Cause(experiment, file));
    ++tally.missing;
    return;
  }
  ++tally.whole;
  const fs::path target = out / file;
  if (out.empty() || (fs::exists(target) && fs::equivalent(chosen, target))) return;
  const std::string bytes = Content(chosen);
  WriteFileAtomically(target.string(), bytes.data(), bytes.size());
  ++tally.copied;
}

}  // namespace

int MergeCommand(const std::vector<std::string>& folders, const std::string& out) {
  Tally tally;
  for (const auto& [name, experiment] : FindExperiments(folders)) {
    const fs::path target = out.empty() ? fs::path() : fs::path(out) / name;
    if (!out.empty()) {
      fs::create_directories(target);
      WriteJson(target / "plan.json", experiment.plan);
    }
    for (const json& trial : experiment.plan.at("trials")) {
      ++tally.planned;
      MergeTrial(experiment, trial, target, tally);
    }
  }
  fmt::print("{} of {} planned trials have a valid result; {} copied, {} missing, {} contradicting\n",
             tally.whole, tally.planned, tally.copied, tally.missing, tally.contradicting);
  return tally.whole == tally.planned ? 0 : 1;
}

}  // namespace okbench
