#pragma once
// Lists the data sets of a catalog, for `list datasets` and `data list`.

#include <nlohmann/json.hpp>

#include "datasets/rows/load.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// Number of nodes (including the root), number of leaves, and depth.
nlohmann::json TreeJson(const LabelTree& tree);

/// One row per data set, with the numbers of the full tree of its classes.
nlohmann::json DataSetsJson(const Catalog& catalog, const DataFolders& folders);
/// Prints the rows of DataSetsJson as a table.
void PrintDataSets(const nlohmann::json& rows);

/// Prints progress to standard error while visual words are computed, which takes minutes. Affects the whole
/// process.
void ReportSlowLoads();

}  // namespace okbench
