#pragma once
// Checks that a trace is consistent, and that results belong to the present specs, data and code.

#include <filesystem>
#include <map>
#include <string>

#include "harness/results/plan_file.h"
#include "harness/spec/catalogs.h"
#include "harness/trace/trace.h"

namespace okbench {

/// Checks that a trace is consistent: spec, summary and provenance are objects, its id is the hash of its
/// spec, its summary repeats the last rows of its tables (mistakes, support vectors, kernel evaluations, test
/// error), and its average error is mistakes / examples counted. Throws TraceError.
void VerifyTrace(const Trace& trace);

/// ReadTrace and VerifyTrace. The message starts with the path.
Trace ReadVerifiedTrace(const std::string& path);

/// First difference between the specs of two trials, "mu = 1, now 0.5"; empty if they are equal.
std::string SpecDifference(const nlohmann::json& before, const nlohmann::json& now);

/// How the plan of a result folder differs from the plan of the present spec, data and code.
struct PlanDifference {
  /// By trial id, why a trial with a readable trace is not in the new plan.
  std::map<std::string, std::string> stale;
  std::vector<PlanEntry> unplanned;  ///< trials of the new plan whose names the folder's plan lacks
};

/// Plans the spec of a result folder again and compares. If a trial had real data and has synthetic data now,
/// or the other way round, everything but the data is compared, unless the number of rows differs. Returns
/// nothing if the folder has no plan, or if the spec file is missing or cannot be planned here. Takes
/// milliseconds per spec. Thread-safe. Throws TraceError for an invalid plan.
PlanDifference ComparePlans(const std::filesystem::path& folder, Catalogs& catalogs);

}  // namespace okbench
