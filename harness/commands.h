#pragma once
// The verbs `list`, `data` and `claims`.

#include <string>
#include <vector>

#include "datasets/load.h"

namespace okbench {

/// `okbench list WHAT`: learners, losses, kernels, datasets or experiments, as text or JSON.
void ListCommand(const std::string& what, bool json, const Catalog& catalog, const DataFolders& folders);

/// `okbench data list|fetch|verify|path [NAME...]`; returns the exit status. Throws DataError.
int DataCommand(const std::string& action, const std::vector<std::string>& names, const Catalog& catalog,
                const DataFolders& folders);

/// `okbench claims [PAPER...]`: the papers' claims judged on the traces below `results`, by okplots.claims;
/// returns the exit status, 1 when a verdict is not the one recorded as expected. Throws DataError when
/// Python cannot be started.
int ClaimsCommand(const std::vector<std::string>& papers, const std::string& results, bool json);

}  // namespace okbench
