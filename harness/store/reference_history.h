#pragma once
// The history of the references: history.jsonl among them, to which every update adds an entry that says why
// and what moved. docs/reproducibility.md describes it.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/store/reference_files.h"

namespace okbench {

/// The numbers of a trial's summary that moved: {"kernel_evaluations/requested": [before, after], ...}, null
/// where one side lacks it.
nlohmann::ordered_json MovedNumbers(const CheckedTrial& trial);

class ReferenceHistory {
 public:
  /// Reads the file in a folder of references, which may lack it. Throws TraceError for a line that is none
  /// of a history's.
  explicit ReferenceHistory(const std::string& folder);

  /// Finds what of the report no entry tells: an entry does when it is the last one of the trial and says
  /// just this, as after an update that was interrupted between the history and the references.
  void Compare(const ReferenceReport& report);

  /// Whether there is something that no entry tells.
  bool has_untold() const { return !untold_.empty() || !gone_.empty(); }
  /// "2026-01-31T12:34:56Z (why)" of an entry that tells a change of the report; empty when none does.
  const std::string& told_by() const { return told_by_; }

  /// Adds an entry with what is untold. Throws TraceError, and the file is as it was then.
  void Append(const std::string& reason);

 private:
  void ReadLine(const nlohmann::json& line);

  std::string path_, text_;
  std::map<std::string, nlohmann::json> last_;  // line of each trial
  std::map<std::string, std::string> entries_;  // date and reason, by name
  std::vector<nlohmann::ordered_json> untold_;
  std::vector<std::string> gone_;  // experiments without trials
  nlohmann::ordered_json raised_, revisions_;
  std::string told_by_;
};

}  // namespace okbench
