#pragma once
// Running planned trials: skips what has a valid result, runs the rest side by side, writes traces, shows
// progress.

#include <functional>
#include <string>
#include <vector>

#include "harness/run/selection.h"

namespace okbench {

struct RunOptions {
  int jobs = 0;        ///< trials side by side; 0: one per core
  bool force = false;  ///< what has a result runs again
  bool quiet = false;
  bool verbose = false;        ///< a line a trial, however many there are
  double timeout_seconds = 0;  ///< of a trial's learning; 0: none
  /// Told after each trial, by one thread at a time: trials over, trials in all, and the line that tells it.
  std::function<void(std::size_t, std::size_t, const std::string&)> told{};
  std::size_t lookahead = 48;  ///< examples whose kernel rows are evaluated ahead together
};

/// Writes the plans into the folders of results and runs the selected trials. Exit status: 0 when every one
/// of them has a result, 1 when some failed, 130 when interrupted. Throws SpecError.
int Run(const std::vector<PlannedSpec>& specs, const Selection& selection, const RunOptions& options,
        const Catalog& catalog, const DataFolders& folders);

}  // namespace okbench
