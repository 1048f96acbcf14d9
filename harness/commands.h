#pragma once
// The verbs `list` and `data`.

#include <string>
#include <vector>

#include "datasets/load.h"

namespace okbench {

/// `okbench list WHAT`: learners, losses, kernels, datasets or experiments, as text or JSON.
void ListCommand(const std::string& what, bool json, const Catalog& catalog, const DataFolders& folders);

/// `okbench data list|fetch|verify|path [NAME...]`; returns the exit status. Throws DataError.
int DataCommand(const std::string& action, const std::vector<std::string>& names, const Catalog& catalog,
                const DataFolders& folders);

}  // namespace okbench
