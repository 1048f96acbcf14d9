#pragma once
// The result folder of one spec: plan.json, traces and failure records.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/measures/trace.h"
#include "harness/plan/planned_spec.h"
#include "harness/store/log.h"
#include "learners/core/error.h"

namespace okbench {

/// Writes plan.json into the spec's folder, and creates the folder if needed. The plan determines which
/// traces figures and summaries use. Throws SpecError or TraceError.
void WritePlan(const PlannedSpec& spec);

/// Whether the folder has a plan that contains every trial of `ids` that belongs to the spec.
bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids);

/// Path of the failure record that corresponds to the path of a trace.
std::filesystem::path FailureFile(const std::filesystem::path& trace);

/// Whether the trace exists and no failure record does. If another program left both, the failure counts.
bool HasTrace(const std::filesystem::path& file);

/// Removes the failure record of an earlier run, if any. Throws TraceError.
void RemoveFailure(const std::filesystem::path& file);

/// Removes the failure record of an earlier run, then writes the trace. Throws TraceError.
void WriteResult(const std::filesystem::path& file, const Trace& trace);

/// Removes the trace `file` of an earlier run, then writes a failure record. Throws TraceError.
void RecordFailure(const std::filesystem::path& file, const Trial& trial, const TrialFailure& failure);

/// The message of a trial's failure record; empty if there is none. Throws TraceError for a damaged record.
std::string FailureMessage(const std::filesystem::path& file);

/// Whether the file is a valid trace of this trial. `log` receives the reason if the file is invalid.
bool HasResult(const std::filesystem::path& file, const Trial& trial, const LogFn& log = NoLog);

}  // namespace okbench
