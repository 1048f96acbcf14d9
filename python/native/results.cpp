// Results of runs: traces, plans and their comparison with the present specs.

#include <dlfcn.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/inner_file.h"
#include "harness/plan/axes.h"
#include "harness/plan/plugins.h"
#include "harness/results/plan_file.h"
#include "harness/results/result_files.h"
#include "harness/results/result_folder.h"
#include "harness/results/verify.h"
#include "harness/system/paths.h"
#include "harness/trace/segment_index.h"
#include "python/native/calls.h"
#include "python/native/module.h"
#include "python/native/rows.h"

namespace okbench::python {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Python's parser makes the objects, because it is fast and its numbers are Python's.
py::object Object(const json& value) {
  static const py::handle loads = py::object(py::module_::import("json").attr("loads")).release();
  return loads(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

// The columns that are not in the digest, by table.
py::dict Undigested(const Trace& trace) {
  py::dict tables;
  for (const Table& table : trace.tables) {
    py::list names;
    for (const Column& column : table.columns)
      if (!column.deterministic) names.append(column.name);
    if (!names.empty()) tables[py::str(table.name)] = names;
  }
  return tables;
}

py::dict VerifiedTrace(const fs::path& path) {
  Trace trace;
  try {
    Unlocked([&] { trace = ReadVerifiedTrace(path.string()); });
  } catch (const std::bad_alloc&) {
    throw TraceError(path.string() + ": not enough memory for what the file claims to contain");
  }
  using py::operator""_a;
  return py::dict("spec"_a = Object(trace.spec), "summary"_a = Object(trace.summary),
                  "provenance"_a = Object(trace.provenance), "tables"_a = TablesOf(trace),
                  "trial_id"_a = trace.trial_id, "digest"_a = trace.Digest(),
                  "training"_a = TrainingExamples(trace), "undigested"_a = Undigested(trace));
}

// A planned trial, and where its result is.
struct PlannedTrial {
  PlanEntry entry;
  std::string place = "missing";  // "file", "segment", "failure", "missing"
  fs::path stored_in;             // the file of that kind; of missing trials, the trace file to be
};

// Trials without cross-validation that differ in the repetition or in the data.
using Curve = std::pair<std::string, std::string>;  // learner and grid point

struct PlanContent {
  json header;
  std::vector<PlannedTrial> trials;
  std::map<Curve, std::size_t> planned;  // number of trials in the file
};

PlanContent ReadPlanContent(const fs::path& folder, std::size_t most, bool searches) {
  const auto index = SegmentIndex::Of(folder);
  if (const auto damaged = index->damaged(); !damaged.empty()) throw TraceError(damaged.front());
  const FolderListing listing(folder);
  PlanContent content;
  std::map<std::pair<Curve, std::string>, std::size_t> kept;  // by curve and label
  const auto add = [&](PlanEntry&& entry) {
    if (entry.fold && !searches) return;
    if (!entry.fold && most > 0) {
      const Curve curve(entry.learner_key, entry.grid_point);
      ++content.planned[curve];
      if (++kept[{curve, entry.content.at("label")}] > most) return;
    }
    PlannedTrial trial{.entry = std::move(entry), .stored_in = {}};
    const fs::path file = folder / trial.entry.file;
    trial.stored_in = file;
    if (listing.HasFailure(trial.entry.file)) {
      trial.place = "failure";
      trial.stored_in = FailureFile(file);
    } else if (listing.HasFile(trial.entry.file)) {
      trial.place = "file";
    } else if (const auto* place = index->Find(trial.entry.file)) {
      trial.place = "segment";
      trial.stored_in = index->segments()[place->segment];
    }
    content.trials.push_back(std::move(trial));
  };
  content.header = VisitPlan(folder / "plan.json", add, true);
  return content;
}

// The folder of an experiment. Nothing if it has no plan.
std::optional<fs::path> ExperimentFolder(const fs::path& results, const std::string& experiment) {
  try {
    const fs::path folder = InnerFile(results, experiment, results.string());
    return fs::exists(folder / "plan.json") ? std::optional(folder) : std::nullopt;
  } catch (const TraceError&) {
    throw TraceError(results.string() + ": '" + experiment + "' is not an experiment inside this folder");
  }
}

py::object Plan(const fs::path& results, const std::string& experiment, std::size_t most, bool searches) {
  const std::optional<fs::path> folder = ExperimentFolder(results, experiment);
  if (!folder) return py::none();
  PlanContent content;
  Unlocked([&] {
    try {
      content = ReadPlanContent(*folder, most, searches);
    } catch (const json::exception&) {
      throw TraceError((*folder / "plan.json").string() + ": not a valid plan; okbench run rewrites it");
    }
  });
  py::list trials;
  for (const PlannedTrial& trial : content.trials) {
    const py::dict entry = Object(trial.entry.content);
    entry["path"] = PathObject((*folder / trial.entry.file).string());
    entry["place"] = trial.place;
    entry["stored_in"] = PathObject(trial.stored_in.string());
    trials.append(entry);
  }
  py::dict planned;
  for (const auto& [curve, count] : content.planned)
    planned[py::make_tuple(curve.first, curve.second)] = count;
  return py::make_tuple(Object(content.header), trials, planned);
}

py::tuple Compare(const fs::path& results) {
  std::map<std::string, std::string> stale;
  std::vector<std::string> unplanned;
  Unlocked([&] {
    LoadPlugins();
    Catalogs catalogs;
    for (const fs::path& folder : ResultFoldersBelow(results)) {
      PlanDifference difference = ComparePlans(folder, catalogs);
      stale.merge(difference.stale);
      for (const PlanEntry& entry : difference.unplanned) unplanned.push_back(entry.name);
    }
  });
  return py::make_tuple(stale, unplanned);
}

}  // namespace

void LoadPlugins() {
  static const bool loaded = [] {
    const std::vector<std::string> paths = EnvironmentList("OKBENCH_PLUGINS");
    // Python loads modules with RTLD_LOCAL, but a plugin uses symbols of this one.
    Dl_info here{};
    if (!paths.empty() && dladdr(reinterpret_cast<const void*>(&LoadPlugins), &here) != 0)
      dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    for (const std::string& path : paths) LoadPlugin(path);
    return true;
  }();
  (void)loaded;
}

namespace {

py::list Axes(const std::vector<fs::path>& specs) {
  LoadPlugins();
  const Catalog catalog = ReadCatalog();
  py::list axes;
  for (const fs::path& spec : specs) axes.append(Object(AxesOf(spec.string(), catalog)));
  return axes;
}

}  // namespace

void AddResults(py::module_& module) {
  module.def("trace", &VerifiedTrace, py::arg("path"),
             "Return spec, summary, provenance, tables, trial_id, digest and training (number of training "
             "examples) of a\ntrace, from a segment of its folder if it has no file. Raise TraceFileError.");
  module.def(
      "has_trace", [](const fs::path& path) { return HasTrace(path); }, py::arg("path"),
      "Return whether a trace exists, in a file or a segment, and no failure record does.");
  module.def(
      "plan", &Plan, py::arg("results"), py::arg("experiment"), py::arg("most") = 0,
      py::arg("searches") = false,
      "Return (header, trials, planned) of the plan of an experiment below a result folder, or None without "
      "a plan.\n\ntrials: the entries of plan.json with path (of the trace), place (file, segment, failure "
      "or missing) and\nstored_in. most: keep at most so many trials per learner, grid point and label; 0: "
      "all. "
      "planned: number of trials by\n(learner, grid point), if most is not 0. searches: include the trials "
      "of "
      "cross-validation. Raise TraceFileError.");
  module.def("axes", &Axes, py::arg("specs"),
             "Return the experiment of each spec, and the values of each axis of its learners over all tiers "
             "(harness/plan/axes.h).\nRaise ValueError.");
  module.def(
      "plan_header", [](const fs::path& path) { return Object(ReadPlanHeader(path)); }, py::arg("path"),
      "Return everything of a plan.json but its trials. Raise TraceFileError.");
  module.def("compare_plans", &Compare, py::arg("results"),
             "Return ({trial id: reason} of stale results, names of trials that the plans lack) below a "
             "folder. Raise\nTraceFileError for an invalid plan, ValueError for an invalid spec.");
}

}  // namespace okbench::python
