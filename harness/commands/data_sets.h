#pragma once
// The data sets of a catalogue, as `list datasets` and `data list` show them.

#include <nlohmann/json.hpp>

#include "datasets/load.h"

namespace okbench {

/// A row a data set.
nlohmann::json DataSetsJson(const Catalog& catalog, const DataFolders& folders);
void PrintDataSets(const nlohmann::json& rows);

}  // namespace okbench
