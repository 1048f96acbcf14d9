#pragma once
// The data sets of a catalogue, as `list datasets` and `data list` show them.

#include <nlohmann/json.hpp>

#include "datasets/load.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// Nodes (the root is one), leaves and depth.
nlohmann::json TreeJson(const LabelTree& tree);

/// A row a data set; the tree of its classes in full.
nlohmann::json DataSetsJson(const Catalog& catalog, const DataFolders& folders);
void PrintDataSets(const nlohmann::json& rows);

/// Prints progress on standard error while visual words are made, which takes minutes.
void ReportSlowLoads();

}  // namespace okbench
