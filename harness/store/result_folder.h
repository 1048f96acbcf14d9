#pragma once
// The folder that holds the results of one spec: its plan, traces, and records of failures.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/planned_spec.h"
#include "harness/store/log.h"
#include "learners/core/error.h"
#include "harness/trial/trace.h"

namespace okbench {

/// Writes plan.json into the spec's folder, making that: it tells figures and summaries which traces belong
/// to the spec as it is now. Throws SpecError or TraceError.
void WritePlan(const PlannedSpec& spec);

/// Whether the folder has a plan that names all of these trials that are the spec's.
bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids);

/// The record of a failure, beside the trace that a trial would have left.
std::filesystem::path FailureFile(const std::filesystem::path& trace);

/// Whether a trace is there and no failure is recorded beside it: where both stand, from other programs'
/// hands, the failure counts.
bool HasTrace(const std::filesystem::path& file);

/// Removes the record of an earlier failure, if there is one, before a trace takes its place. Throws
/// TraceError.
void RemoveFailure(const std::filesystem::path& file);

/// Removes the record of an earlier failure, then writes the trace of a trial. Throws TraceError.
void WriteResult(const std::filesystem::path& file, const Trace& trace);

/// Removes the trace of an earlier run, then writes why the trial left none in `file`. Throws TraceError.
void RecordFailure(const std::filesystem::path& file, const Trial& trial, const TrialFailure& failure);

/// Whether there is a trace (HasTrace), and it is the whole result of this trial. `log` is told
/// why a file does not count.
bool HasResult(const std::filesystem::path& file, const Trial& trial, const LogFn& log = NoLog);

}  // namespace okbench
