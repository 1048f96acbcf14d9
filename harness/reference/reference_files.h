#pragma once
// Reference files: the references of an experiment's trials, committed to the repository.
// docs/howto/change-a-reference.md describes them.

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/log.h"

namespace okbench {

/// Result of comparing a trial with its reference.
enum class ReferenceState {
  kSame,
  kChanged,
  kNew,      ///< in the plan, but not in the reference
  kMissing,  ///< in the reference, but not in the plan
  kFailed,   ///< no result
  kLibrary   ///< differs, but a system library of another architecture may; see LibraryIfOtherArchitecture
};

/// "same", "changed", "new", "missing", "failed" or "library".
const char* NameOf(ReferenceState state);

/// Whether an update of the references must change the entry: changed, new or missing.
bool IsChange(ReferenceState state);

/// Comparison of one trial with its reference.
struct CheckedTrial {
  ReferenceState state = ReferenceState::kSame;
  std::string experiment, name;
  std::string id{};                  ///< empty in state kMissing
  std::vector<std::string> lines{};  ///< differences, or the cause of the failure
  nlohmann::json first{};            ///< ReferenceDifference::first
  /// Learner, revisions, digest and summary of the reference and of the trace; null if there is none.
  nlohmann::json before{}, after{};
};

/// The value at a JSON pointer such as "/summary/rmse"; null if there is none, or no reference.
nlohmann::json PartOf(const nlohmann::json& reference, const std::string& pointer);

/// Result of comparing results with reference files.
struct ReferenceReport {
  std::vector<CheckedTrial> trials;
  std::vector<std::string> gone;             ///< experiments with a reference file and no plan
  std::map<std::string, std::string> files;  ///< path -> text that an update writes; empty: remove the file
  double seconds = 0;                        ///< learning time of all trials, in seconds

  std::size_t Count(ReferenceState state) const;
  std::size_t compared() const;  ///< trials in state kSame, kChanged or kNew
  std::size_t changes() const;   ///< changed, new and missing trials; a removed experiment counts as one
};

/// Compares every trace of the plans below `results` with its reference below `folder`.
/// `all_experiments`: a reference file without a plan is a change. `log` receives the differences.
/// Throws TraceError.
ReferenceReport CompareWithReferences(const std::string& results, const std::string& folder,
                                      bool all_experiments, const LogFn& log = NoLog);

/// Writes the files of the report, and removes those with empty text. Throws TraceError.
void WriteReferences(const ReferenceReport& report);

}  // namespace okbench
