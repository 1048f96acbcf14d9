#pragma once
// Reference files: the references of an experiment's trials, committed beside the sources to compare later
// runs with. docs/reproducibility.md describes them.

#include <cstddef>
#include <string>

#include "harness/store/say.h"

namespace okbench {

/// What comparing results with reference files came to.
struct ReferenceReport {
  std::size_t trials = 0, same = 0;
  std::size_t changes = 0;  ///< trials that differ, are new or are gone, and experiments that are gone
  double seconds = 0;       ///< of learning
};

/// Compares every trace of the plans below `results` with its reference below `folder`. `all_experiments`:
/// reference files of others are changes, too. `update`: files with changes are written anew. `say` is told
/// what differs. Throws TraceError.
ReferenceReport CompareWithReferences(const std::string& results, const std::string& folder,
                                      bool all_experiments, bool update, const Say& say = Silence);

}  // namespace okbench
