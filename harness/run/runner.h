#pragma once
// The verb `run`: plans, skips what has a valid result, runs the rest side by side, writes traces, shows
// progress.

#include <string>
#include <vector>

#include "datasets/load.h"

namespace okbench {

struct RunOptions {
  std::vector<std::string> specs;
  std::vector<std::string> overrides;  ///< path=value
  std::string only;                    ///< glob over trial names; empty: all
  std::vector<std::string> trials;     ///< ids; not empty: these alone, without the folds that they need
  std::string tier = "default";
  std::string out;  ///< result folder; empty: results/<tier>
  int jobs = 0;     ///< trials side by side; 0: one per core
  bool fresh = false;
  bool dry_run = false;
  bool quiet = false;
  double timeout_seconds = 0;
  std::size_t tile = 48;
};

/// Exit status: 0 when every selected trial has a result, 1 when some failed, 130 when interrupted. Throws
/// SpecError.
int Run(const RunOptions& options, const Catalog& catalog, const DataFolders& folders);

}  // namespace okbench
