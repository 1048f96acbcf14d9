#include "harness/store/planned_spec.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "harness/store/trace_file.h"
#include "harness/system/error.h"

namespace okbench {

namespace fs = std::filesystem;

std::vector<PlannedSpec> PlanSpecs(const std::vector<std::string>& specs, const std::string& tier,
                                   const std::vector<std::string>& overrides, const std::string& out,
                                   const Catalog& catalog, const DataFolders& folders) {
  std::vector<PlannedSpec> planned;
  for (const std::string& path : specs) {
    // Claims lie beside the specs, so that experiments/*/*.toml names them, too.
    if (fs::path(path).filename() == "claims.toml") continue;
    PlannedSpec spec;
    spec.spec = ReadSpec(path, tier, overrides, catalog);
    spec.trials = MakePlan(spec.spec, catalog, folders);
    spec.folder = fs::path(out.empty() ? "results/" + tier : out) / spec.spec.experiment;
    for (const PlannedSpec& other : planned)
      if (other.folder == spec.folder)
        throw SpecError(path + ": its experiment '" + spec.spec.experiment + "' is also that of " +
                        other.spec.path);
    planned.push_back(std::move(spec));
  }
  return planned;
}

void WritePlan(const PlannedSpec& spec) {
  std::error_code error;
  fs::create_directories(spec.folder, error);
  if (error)
    throw SpecError("cannot make the result folder " + spec.folder.string() + ": " + error.message());
  nlohmann::json trials = nlohmann::json::array();
  for (const Trial& trial : spec.trials)
    trials.push_back({{"id", trial.id},
                      {"name", trial.Name()},
                      {"file", trial.FileName()},
                      {"label", trial.label},
                      {"learner_key", trial.learner_key},
                      {"grid_point", trial.grid_point},
                      {"repetition", trial.repetition},
                      {"fold", trial.fold() ? nlohmann::json(trial.data.train.fold->fold) : nlohmann::json()},
                      {"needs", trial.Needs()},
                      {"expected_evaluations", trial.cost.requested}});
  WriteJson(spec.folder / "plan.json", {{"format", 1},
                                        {"experiment", spec.spec.experiment},
                                        {"title", spec.spec.title},
                                        {"tier", spec.spec.tier},
                                        {"spec", spec.spec.path},
                                        {"trials", trials}});
}

bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids) {
  std::set<std::string> planned;
  std::ifstream file(spec.folder / "plan.json");
  const nlohmann::json plan = nlohmann::json::parse(file, nullptr, false);
  if (plan.is_object() && plan.contains("trials"))
    for (const nlohmann::json& trial : plan["trials"]) planned.insert(trial.value("id", ""));
  return std::all_of(spec.trials.begin(), spec.trials.end(), [&](const Trial& trial) {
    return std::find(ids.begin(), ids.end(), trial.id) == ids.end() || planned.contains(trial.id);
  });
}

fs::path FailureFile(const fs::path& trace) { return fs::path(trace).replace_extension(".failed.json"); }

void WriteJson(const fs::path& path, const nlohmann::json& content) {
  const std::string text = content.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  WriteFileAtomically(path.string(), text.data(), text.size());
}

bool HasResult(const fs::path& file, const Trial& trial, const std::function<void(const std::string&)>& say) {
  if (!fs::exists(file)) return false;
  try {
    return ReadTrace(file.string()).trial_id == trial.id;
  } catch (const TraceError& error) {
    if (say) say(error.what());
    return false;
  }
}

}  // namespace okbench
