#include "harness/store/result_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "harness/plan/canonical.h"
#include "harness/store/atomic_file.h"
#include "harness/store/json_file.h"
#include "harness/store/trace_file.h"
#include "harness/store/verify.h"
#include "harness/system/provenance.h"

namespace okbench {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kPlanFormat = 2;

json BatchOf(const Trial& trial) { return trial.batch > 0 ? json(trial.batch) : json(); }

json FoldOf(const Trial& trial) { return trial.search() ? json(trial.SearchNumber()) : json(); }

// Properties by which a claim selects a trial of a learner: [data=usps,batch=50,lambda=0.1].
json AxesOf(const Trial& trial) {
  json axes = FixedParameters(trial);
  axes["data"] = trial.data->train.name;
  axes["batch"] = BatchOf(trial);
  axes["repetition"] = trial.repetition;
  if (trial.data->stream.delay) axes["delay"] = *trial.data->stream.delay;
  if (!trial.kernel_point.is_null())
    for (const auto& [key, value] : trial.kernel_point.items()) axes[kKernelAxis + key] = value;
  return axes;
}

// Names of the parameters that cross-validation chooses.
json TunedOf(const Trial& trial) {
  json names = json::array();
  if (!trial.candidates.empty())
    for (const auto& [name, value] : trial.candidates.front().values.items()) names.push_back(name);
  return names;
}

}  // namespace

void WritePlan(const PlannedSpec& spec) {
  try {
    MakeFolders(spec.folder);
  } catch (const TraceError& error) {
    throw SpecError("cannot create the result folder " + std::string(error.what()));
  }
  nlohmann::json trials = nlohmann::json::array();
  for (const Trial& trial : spec.trials)
    trials.push_back({{"id", trial.id},
                      {"name", trial.Name()},
                      {"file", trial.FileName()},
                      {"label", trial.label},
                      {"learner_key", trial.learner_key},
                      {"grid_point", trial.grid_point},
                      {"repetition", trial.repetition},
                      {"fold", FoldOf(trial)},
                      {"needs", trial.Needs()},
                      {"axes", AxesOf(trial)},
                      {"tuned", TunedOf(trial)},
                      {"synthetic", trial.synthetic},
                      {"expected_evaluations", trial.cost.requested}});
  json plan = {{"format", kPlanFormat},    {"experiment", spec.spec.experiment},
               {"title", spec.spec.title}, {"tier", spec.spec.tier},
               {"spec", spec.spec.path},   {"overrides", spec.spec.overrides},
               {"trials", trials}};
  if (!spec.replaced.empty()) plan["replaced_data"] = spec.replaced;
  WriteJson(spec.folder / "plan.json", plan);
}

bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids) {
  std::set<std::string> planned;
  std::ifstream file(spec.folder / "plan.json");
  const nlohmann::json plan =
      ParseJson(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
  if (plan.is_object() && plan.contains("trials"))
    for (const nlohmann::json& trial : plan["trials"])
      if (trial.is_object() && trial.contains("id") && trial["id"].is_string())
        planned.insert(trial["id"].get<std::string>());
  return std::all_of(spec.trials.begin(), spec.trials.end(), [&](const Trial& trial) {
    return std::find(ids.begin(), ids.end(), trial.id) == ids.end() || planned.contains(trial.id);
  });
}

fs::path FailureFile(const fs::path& trace) { return fs::path(trace).replace_extension(".failed.json"); }

bool HasTrace(const fs::path& file) { return fs::exists(file) && !fs::exists(FailureFile(file)); }

namespace {

void Remove(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw TraceError(file.string() + ": cannot be removed: " + error.message());
}

}  // namespace

void RemoveFailure(const fs::path& file) { Remove(FailureFile(file)); }

void WriteResult(const fs::path& file, const Trace& trace) {
  // In this order, so that a trace and a failure record never exist at the same time.
  RemoveFailure(file);
  WriteTrace(file.string(), trace);
}

FileStamp StampOf(const fs::path& file) {
  struct stat found;
  if (stat(file.c_str(), &found) != 0) return {};
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .changed = std::int64_t{found.st_ctim.tv_sec} * 1000000000 + found.st_ctim.tv_nsec};
}

bool RecordFailure(const fs::path& file, const Trial& trial, const TrialFailure& failure,
                   const FileStamp& before) {
  if (StampOf(file) != before && HasResult(file, trial)) return false;
  Remove(file);
  const nlohmann::json record = {{"format", 1},
                                 {"trial_id", trial.id},
                                 {"name", trial.Name()},
                                 {"experiment", trial.experiment},
                                 {"learner", trial.info->name},
                                 {"learner_key", trial.learner_key},
                                 {"grid_point", trial.grid_point},
                                 // Without the parameters that cross-validation would have chosen.
                                 {"parameters", FixedParameters(trial)},
                                 {"batch", BatchOf(trial)},
                                 {"repetition", trial.repetition},
                                 {"fold", FoldOf(trial)},
                                 {"data_set", trial.data->train.name},
                                 {"synthetic", trial.synthetic},
                                 {"kind", failure.kind()},
                                 {"message", failure.what()},
                                 {"time", UtcNow()},
                                 {"provenance", BuildProvenance()}};
  WriteJson(FailureFile(file), record);
  return true;
}

std::optional<Failure> ReadFailure(const fs::path& file) {
  if (!fs::exists(FailureFile(file))) return std::nullopt;
  const nlohmann::json record = ReadJson(FailureFile(file));
  try {
    return Failure{.kind = record.at("kind"), .message = record.at("message")};
  } catch (const nlohmann::json::exception&) {
    throw TraceError(FailureFile(file).string() + ": not a valid failure record");
  }
}

bool HasDiverged(const fs::path& file, const Trial& trial) {
  if (!trial.search() || !fs::exists(FailureFile(file))) return false;
  const nlohmann::json record = ReadJson(FailureFile(file));
  return record.is_object() && record.value("kind", "") == "diverged" &&
         record.value("trial_id", "") == trial.id;
}

bool HasResult(const fs::path& file, const Trial& trial, const LogFn& log) {
  if (!HasTrace(file)) return false;
  try {
    return ReadVerifiedTrace(file.string()).trial_id == trial.id;
  } catch (const TraceError& error) {
    log(error.what());
    return false;
  }
}

}  // namespace okbench
