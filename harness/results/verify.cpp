#include "harness/results/verify.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "datasets/files/locate.h"
#include "harness/plan/canonical.h"
#include "harness/plan/planned_spec.h"
#include "harness/results/result_folder.h"
#include "harness/system/json_file.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Checks that a value of the summary equals the last row of a column. Columns that the trace lacks and values
// that are null are skipped: not every method has them.
void RequireLast(const Trace& trace, const char* table, const char* column, const char* pointer) {
  const Table* rows = trace.Find(table);
  const Column* values = rows == nullptr ? nullptr : rows->Find(column);
  const json::json_pointer key(pointer);
  if (values == nullptr || values->size() == 0 || !trace.summary.contains(key)) return;
  const json& value = trace.summary.at(key);
  const bool equal =
      value.is_null() ||
      std::visit([&value](const auto& list) { return value.is_number() && value == json(list.back()); },
                 values->values);
  if (!equal)
    throw TraceError("its summary (" + std::string(pointer + 1) + ") does not match its column " + column);
}

// Checks that the average error is mistakes / examples counted. Older traces do not say what they count on.
void RequireErrorRate(const Trace& trace) {
  const json &summary = trace.summary, &provenance = trace.provenance;
  const json mistakes = summary.value("mistakes", json()), rate = summary.value("error_rate", json());
  if (!mistakes.is_number_unsigned() || !rate.is_number() || !provenance.contains("training_examples"))
    return;
  const json counted = provenance.value("counted", json()) == kCountedTraining
                           ? provenance.at("training_examples")
                           : summary.value("examples", json());
  if (!counted.is_number_unsigned() || rate.get<double>() != mistakes.get<double>() / counted.get<double>())
    throw TraceError("its summary (error_rate) is not mistakes / examples counted");
}

}  // namespace

void VerifyTrace(const Trace& trace) {
  for (const json* part : {&trace.spec, &trace.summary, &trace.provenance})
    if (!part->is_object()) throw TraceError("its spec, summary and provenance must be objects");
  if (trace.trial_id != TrialId(trace.spec)) throw TraceError("its id is not the hash of its spec");
  RequireLast(trace, "trace", "mistakes", "/mistakes");
  RequireErrorRate(trace);
  RequireLast(trace, "trace", "support_vectors", "/support_vectors");
  RequireLast(trace, "trace", "kernel_requested", "/kernel_evaluations/requested");
  RequireLast(trace, "trace", "kernel_computed", "/kernel_evaluations/computed");
  for (const char* name : {"test_error", "test_rmse", "test_task_loss"})
    RequireLast(trace, "checkpoints", name, ("/" + std::string(name)).c_str());
}

Trace ReadVerifiedTrace(const std::string& path) {
  Trace trace = ReadTrace(path);
  try {
    VerifyTrace(trace);
  } catch (const TraceError& error) {
    throw TraceError(path + ": " + error.what());
  }
  return trace;
}

std::string SpecDifference(const json& before, const json& now) {
  const json from = before.flatten(), to = now.flatten();
  std::set<std::string> keys;
  for (const json* spec : {&from, &to})
    for (const auto& [key, value] : spec->items()) keys.insert(key);
  for (const std::string& key : keys) {
    const json was = from.value(key, json()), is = to.value(key, json());
    if (was == is) continue;
    std::string name = key.substr(1);
    for (const std::string prefix : {"parameters/", "kernel_point/"})
      if (name.starts_with(prefix)) name = name.substr(prefix.size());
    for (char& c : name) c = c == '/' ? '.' : c;
    return name + " = " + was.dump() + ", now " + is.dump();
  }
  return "";
}

namespace {

// The present plan of the spec of a plan. Nothing if the spec is missing, is of another experiment, or cannot
// be planned here.
std::optional<PlannedSpec> PlanAgain(const fs::path& folder, const json& header, Catalogs& catalogs) try {
  PlanRequest request{.specs = {header.value("spec", "")},
                      .overrides = header.value("overrides", std::vector<std::string>()),
                      .tier = header.at("tier"),
                      .no_synthetic = header.value("no_synthetic", false),
                      .replace = header.value("replace", false),
                      .out = folder.string()};
  if (request.specs.front().empty() || !fs::exists(request.specs.front())) return std::nullopt;
  std::vector<PlannedSpec> planned;
  try {
    planned = PlanSpecs(request, catalogs.Get(request.replace), DataFolders::FromEnvironment());
  } catch (const RequestError&) {
    return std::nullopt;  // a learner or data set of the spec is not installed here
  }
  if (planned.empty() || planned.front().spec.experiment != header.at("experiment").get<std::string>())
    return std::nullopt;
  planned.front().folder = folder;
  return std::move(planned.front());
} catch (const json::exception&) {
  throw TraceError((folder / "plan.json").string() + ": not a valid plan; okbench run rewrites it");
}

// The spec of a trial, without what depends on the rows if they are other ones.
json Comparable(json spec, bool other_data) {
  if (!other_data) return spec;
  for (const char* key : {"digest", "test_digest"}) spec["data"].erase(key);
  spec.erase("revisions");
  return spec;
}

std::vector<PlanEntry> Unplanned(const PlanFile& plan, const std::vector<Trial>& trials) {
  std::unordered_set<std::string_view> names;
  for (const PlanEntry& entry : plan.trials) names.insert(entry.name);
  std::vector<PlanEntry> unplanned;
  for (const Trial& trial : trials)
    if (!names.contains(trial.Name())) unplanned.push_back(EntryOf(trial));
  return unplanned;
}

std::map<std::string, std::string> StaleTrials(const fs::path& folder, const PlanFile& plan,
                                               const std::vector<Trial>& trials) {
  std::map<std::string, std::string> stale;
  std::unordered_set<std::string_view> ids;
  for (const Trial& trial : trials) ids.insert(trial.id);
  std::vector<const PlanEntry*> gone;  // trials that the spec does not have now
  for (const PlanEntry& entry : plan.trials)
    if (!ids.contains(entry.id)) gone.push_back(&entry);
  if (gone.empty()) return stale;
  std::unordered_map<std::string, const Trial*> now;
  for (const Trial& trial : trials) now[trial.Name()] = &trial;
  for (const PlanEntry* entry : gone) {
    const fs::path file = folder / entry->file;
    if (!HasTrace(file)) continue;
    const auto same = now.find(entry->name);
    const auto other_data = [&](const bool synthetic) {
      const auto differs = [synthetic](const Trial& trial) { return trial.synthetic != synthetic; };
      return same == now.end() ? std::any_of(trials.begin(), trials.end(), differs) : differs(*same->second);
    };
    Trace trace;
    try {
      trace = ReadTrace(file.string());
    } catch (const TraceError&) {
      continue;  // corrupt, which its reader reports
    }
    const bool other = other_data(trace.provenance.value("synthetic", false));
    // Names and parameters can depend on the number of rows.
    if (other && (same == now.end() || TrainingExamples(trace) != same->second->training)) continue;
    const std::string reason =
        same == now.end()
            ? "the spec has no trial of this name now"
            : SpecDifference(Comparable(trace.spec, other), Comparable(TrialIdentity(*same->second), other));
    // Equal specs: the file belongs to another trial than the plan says, which its reader reports.
    if (!reason.empty()) stale[entry->id] = reason;
  }
  return stale;
}

}  // namespace

PlanDifference ComparePlans(const fs::path& folder, Catalogs& catalogs) {
  const fs::path file = folder / "plan.json";
  if (!fs::exists(file)) return {};
  const std::optional<PlannedSpec> now = PlanAgain(folder, ReadPlanHeader(file), catalogs);
  // Comparing the text of a large plan is faster than reading it.
  if (now && IsCurrentPlan(*now)) return {};
  const PlanFile plan = ReadPlan(file);  // also without the spec, because it may be invalid
  if (!now) return {};
  return {.stale = StaleTrials(folder, plan, now->trials), .unplanned = Unplanned(plan, now->trials)};
}

}  // namespace okbench
