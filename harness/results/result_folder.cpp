#include "harness/results/result_folder.h"

#include <sys/stat.h>

#include "base/atomic_file.h"
#include "harness/plan/canonical.h"
#include "harness/results/verify.h"
#include "harness/system/json_file.h"
#include "harness/system/provenance.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"

namespace okbench {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path FailureFile(const fs::path& trace) { return fs::path(trace).replace_extension(".failed.json"); }

bool HasTrace(const fs::path& file) {
  return (fs::exists(file) || IsPacked(file)) && !fs::exists(FailureFile(file));
}

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
  struct stat status;
  if (stat(file.c_str(), &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .changed = std::int64_t{status.st_ctim.tv_sec} * 1000000000 + status.st_ctim.tv_nsec};
}

bool RecordFailure(const fs::path& file, const Trial& trial, const TrialFailure& failure,
                   const FileStamp& before) {
  // A result that cannot be written, for example on a full disk, says nothing about the one that is there.
  if ((failure.kind() == "write" || StampOf(file) != before) && HasResult(file, trial)) return false;
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
                                 {"batch", trial.batch > 0 ? json(trial.batch) : json()},
                                 {"repetition", trial.repetition},
                                 {"fold", trial.fold() ? json(trial.data->train.fold->fold) : json()},
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
  if (!trial.fold() || !fs::exists(FailureFile(file))) return false;
  const nlohmann::json record = ReadJson(FailureFile(file));
  return record.is_object() && record.value("kind", "") == "diverged" &&
         record.value("trial_id", "") == trial.id;
}

bool HasResult(const fs::path& file, const Trial& trial, const LogFn& log) {
  if (!HasTrace(file)) return false;
  // The index has verified the segment, and the name of the file contains the id.
  if (!fs::exists(file)) return file.filename() == trial.FileName();
  try {
    return ReadVerifiedTrace(file.string()).trial_id == trial.id;
  } catch (const TraceError& error) {
    log(error.what());
    return false;
  }
}

}  // namespace okbench
