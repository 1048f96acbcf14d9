#pragma once
// The verbs `list`, `plan`, `data`, `claims`, `merge` and `check`.

#include <string>
#include <vector>

#include "datasets/load.h"

namespace okbench {

/// `okbench list WHAT`: learners, losses, kernels, datasets or experiments, as text or JSON.
void ListCommand(const std::string& what, bool json, const Catalog& catalog, const DataFolders& folders);

struct PlanOptions {
  std::vector<std::string> specs;
  std::vector<std::string> overrides;  ///< path=value
  std::string tier = "default";
  std::string out;  ///< result folder, to see what is done; empty: results/<tier>
  bool json = false;
  bool write = false;  ///< plan.json into the folders of results, as a run does
};

/// `okbench plan SPEC...`: every trial with id, what it needs first, data sets, kernel evaluations, time and
/// memory to expect, the times calibrated by timing the kernel engine on the rows of each data set; then totals.
/// Returns the exit status. Throws SpecError, DataError and TraceError.
int PlanCommand(const PlanOptions& options, const Catalog& catalog, const DataFolders& folders);

/// `okbench data list|fetch|verify|path [NAME...]`; returns the exit status. Throws DataError.
int DataCommand(const std::string& action, const std::vector<std::string>& names, const Catalog& catalog,
                const DataFolders& folders);

/// `okbench claims [PAPER...]`: the papers' claims judged on the traces below `results`, by okbench.claims;
/// returns the exit status, 1 when a verdict is not the one recorded as expected. Throws DataError when
/// Python cannot be started.
int ClaimsCommand(const std::vector<std::string>& papers, const std::string& results, bool json);

/// `okbench merge DIR...`: verifies every trace (format, digest, id), compares those that several folders hold,
/// copies them to `out` when it is not empty, and names what the plans ask for and no folder has. Returns the
/// exit status: 0 when every planned trial has a result and none contradicts another. Throws SpecError.
int MergeCommand(const std::vector<std::string>& folders, const std::string& out);

struct CheckOptions {
  std::vector<std::string> specs;  ///< none: all known ones
  std::string reference;           ///< folder; empty: the project's own
  bool update = false;
  int jobs = 0;  ///< as RunOptions
};

/// `okbench check [SPEC...]`: runs the quick tier on generated data and compares every trace and summary with
/// its reference; with `update` the reference is renewed, and what changes is shown. Returns the exit status,
/// 1 when something differs. Throws SpecError and TraceError.
int CheckCommand(const CheckOptions& options, const Catalog& catalog);

}  // namespace okbench
