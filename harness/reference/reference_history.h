#pragma once
// ReferenceHistory: the file history.jsonl in the reference folder. Every update appends an entry with its
// reason and the changes. docs/howto/change-a-reference.md describes the file.

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/reference/reference_files.h"

namespace okbench {

/// The numbers of a trial's summary that changed: {"kernel_evaluations/requested": [before, after], ...}.
/// A number that one side lacks is null.
nlohmann::ordered_json MovedNumbers(const CheckedTrial& trial);

/// Reads the history and appends to it. Not thread-safe.
class ReferenceHistory {
 public:
  /// Reads history.jsonl in `folder` if it exists. Throws TraceError for an invalid line.
  explicit ReferenceHistory(const std::string& folder);

  /// Finds the changes in the report that the history does not record, and references that it does not
  /// explain. A change is recorded if the last line
  /// of its trial is equal to it. This happens when an update was interrupted between writing the history
  /// and writing the references.
  void Compare(const ReferenceReport& report);

  /// Names of trials whose references are not those of their last entries: somebody changed the file without
  /// an update. Append() records them.
  const std::vector<std::string>& unexplained() const { return unexplained_; }
  /// Whether Compare() found unrecorded changes.
  bool has_unrecorded() const { return !unrecorded_.empty() || !gone_.empty(); }
  /// Date and reason, "2026-01-31T12:34:56Z (why)", of an entry that records a change of the report; empty if
  /// there is none.
  const std::string& recorded_reason() const { return recorded_reason_; }

  /// Appends an entry with all unrecorded changes. Throws TraceError and leaves the file unchanged.
  void Append(const std::string& reason);

 private:
  void ReadLine(const nlohmann::json& line);

  std::string path_, text_;
  std::map<std::string, nlohmann::json> last_;            // last line of each trial, by trial name
  std::map<std::string, std::set<nlohmann::json>> ends_;  // digests after the last entries, by trial name
  std::map<std::string, std::string> entries_;            // date and reason, by entry name
  std::vector<nlohmann::ordered_json> unrecorded_;        // lines of unrecorded changes
  std::vector<std::string> unexplained_;
  std::vector<std::string> gone_;  // removed experiments whose references contain no trials
  nlohmann::ordered_json raised_, revisions_;
  std::string recorded_reason_;
};

}  // namespace okbench
