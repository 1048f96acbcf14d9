#pragma once
// Checks that a trace is consistent, and that results belong to the present specs, data and code.

#include <filesystem>
#include <map>
#include <string>

#include "harness/measures/trace.h"
#include "harness/store/plan_file.h"

namespace okbench {

/// Checks that a trace is consistent: its id is the hash of its spec, and its summary repeats the last
/// rows of its tables (mistakes, support vectors, kernel evaluations, test error). Throws TraceError.
void VerifyTrace(const Trace& trace);

/// ReadTrace and VerifyTrace. The message starts with the path.
Trace ReadVerifiedTrace(const std::string& path);

/// First difference between the specs of two trials, "mu = 1, now 0.5"; empty if they are equal.
std::string SpecDifference(const nlohmann::json& before, const nlohmann::json& now);

/// Plans the spec of a result folder again and compares. Returns, by trial id, why a trial with a trace is
/// not in the new plan; empty if the plans agree. Skips trials without a readable trace. A trial on real data
/// is not compared with one on synthetic data. Returns nothing if the folder has no plan, or if the spec file
/// is missing or cannot be planned here. Takes milliseconds per spec. Throws TraceError for an invalid plan.
std::map<std::string, std::string> StaleTrials(const std::filesystem::path& folder);

}  // namespace okbench
