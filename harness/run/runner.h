#pragma once
// Runs planned trials: skips those with a valid result, runs the others in parallel, writes their traces and
// shows progress.

#include <functional>
#include <string>
#include <vector>

#include "harness/run/selection.h"

namespace okbench {

struct RunOptions {
  int jobs = 0;                ///< trials in parallel; 0: one per core
  bool force = false;          ///< rerun trials that already have results
  bool pack = false;           ///< pack the results of plans of any size into segments
  bool quiet = false;          ///< show only failures
  bool verbose = false;        ///< one line per trial, even for more than 40 trials
  double timeout_seconds = 0;  ///< limit of a trial's learning; 0: none
  /// Called after each trial, by one thread at a time, with the number of finished trials, the number of all
  /// trials, and the line for the trial.
  std::function<void(std::size_t, std::size_t, const std::string&)> progress{};
  std::size_t lookahead = 48;  ///< examples whose kernel rows are evaluated together in advance
};

/// Writes the plans into the result folders and runs the selected trials.
/// Returns the exit status: 0 if every selected trial has a result, 1 if some failed, 130 if interrupted.
/// Throws SpecError for an invalid selection.
int Run(const std::vector<PlannedSpec>& specs, const Selection& selection, const RunOptions& options,
        const Catalog& catalog, const DataFolders& folders);

}  // namespace okbench
