#pragma once
// Job: the trials of one spec and where their results lie.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/plan.h"

namespace okbench {

struct Job {
  Spec spec;
  std::vector<Trial> trials;
  std::filesystem::path folder;  ///< of its traces
};

/// Reads and plans specs (claims beside them are passed over); results lie below `out`, or below
/// results/<tier> when that is empty. Throws SpecError, also when two specs are of one experiment.
std::vector<Job> PrepareJobs(const std::vector<std::string>& specs, const std::string& tier,
                             const std::vector<std::string>& overrides, const std::string& out,
                             const Catalog& catalog, const DataFolders& folders);

/// Whether the file holds the whole result of this trial. `say`, unless empty, is told why a file does not count.
bool HasResult(const std::filesystem::path& file, const Trial& trial,
               const std::function<void(const std::string&)>& say = {});

}  // namespace okbench
