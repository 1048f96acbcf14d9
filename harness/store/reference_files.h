#pragma once
// Reference files: the references of an experiment's trials, committed beside the sources to compare later
// runs with. docs/reproducibility.md describes them.

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/store/log.h"

namespace okbench {

enum class ReferenceState {
  kSame,
  kChanged,
  kNew,      ///< is not in the reference
  kMissing,  ///< is in the reference, and no more in the plan
  kFailed,   ///< has no result
  kLibrary   ///< differs, and is not compared: LibraryOfOthers
};

/// "same", "changed", "new", "missing", "failed", "library".
const char* NameOf(ReferenceState state);

/// Whether an update has to renew something.
bool IsChange(ReferenceState state);

/// A trial beside its reference.
struct CheckedTrial {
  ReferenceState state = ReferenceState::kSame;
  std::string experiment, name;
  std::string id{};                  ///< empty where it is missing
  std::vector<std::string> lines{};  ///< how it differs, or why it failed
  nlohmann::json first{};            ///< of ReferenceDifference
  /// Learner, revisions, digest and summary of the reference and of the trace; null where there is none.
  nlohmann::json before{}, after{};
};

/// What a reference has at a JSON pointer, "/summary/rmse"; null where there is nothing, or no reference.
nlohmann::json PartOf(const nlohmann::json& reference, const std::string& pointer);

/// What comparing results with reference files came to.
struct ReferenceReport {
  std::vector<CheckedTrial> trials;
  std::vector<std::string> gone;             ///< experiments that have a reference file and no plan
  std::map<std::string, std::string> files;  ///< text of each file that an update writes; empty: removes
  double seconds = 0;                        ///< of learning

  std::size_t Count(ReferenceState state) const;
  std::size_t compared() const;  ///< traces but those of ReferenceState::kLibrary
  std::size_t changes() const;   ///< trials that differ, are new or are gone, and experiments that are gone
};

/// Compares every trace of the plans below `results` with its reference below `folder`. `all_experiments`:
/// reference files of others are changes, too. `log` is told what differs. Throws TraceError.
ReferenceReport CompareWithReferences(const std::string& results, const std::string& folder,
                                      bool all_experiments, const LogFn& log = NoLog);

/// Writes the report's files, and removes those of experiments that are gone. Throws TraceError.
void WriteReferences(const ReferenceReport& report);

}  // namespace okbench
