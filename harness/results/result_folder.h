#pragma once
// Results of single trials: traces and failure records.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "harness/plan/planned_spec.h"
#include "harness/trace/trace.h"

namespace okbench {

/// Path of the failure record that corresponds to the path of a trace.
std::filesystem::path FailureFile(const std::filesystem::path& trace);

/// Whether the trace exists, in a file or a segment, and no failure record does. If another program left
/// both, the failure counts.
bool HasTrace(const std::filesystem::path& file);

/// Removes the failure record of an earlier run, if any. Throws TraceError.
void RemoveFailure(const std::filesystem::path& file);

/// Removes the failure record of an earlier run, then writes the trace. Throws TraceError.
void WriteResult(const std::filesystem::path& file, const Trace& trace);

/// Identity of the file at a path. Differs if another process has replaced the file.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;  ///< 0 without a file
  std::int64_t changed = 0;             ///< nanoseconds
  bool operator==(const FileStamp&) const = default;
};
FileStamp StampOf(const std::filesystem::path& file);

/// Removes the trace `file` of an earlier run, then writes a failure record. Returns false, without a change,
/// if another process has written a valid result of the trial since `before`, or if there is one and the
/// failure is "write". Throws TraceError.
bool RecordFailure(const std::filesystem::path& file, const Trial& trial, const TrialFailure& failure,
                   const FileStamp& before);

/// Kind and message of the failure record of a trace.
struct Failure {
  std::string kind, message;
};
/// Nothing if there is no record. Throws TraceError for a damaged record.
std::optional<Failure> ReadFailure(const std::filesystem::path& file);

/// Whether the trial is a candidate of a search that has diverged: its failure record is its result.
bool HasDiverged(const std::filesystem::path& file, const Trial& trial);

/// Whether the file is a valid trace of this trial. `log` receives the reason if the file is invalid.
bool HasResult(const std::filesystem::path& file, const Trial& trial, const LogFn& log = NoLog);

}  // namespace okbench
