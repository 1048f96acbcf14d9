#pragma once
// Delays of labels that a data set states row by row.

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "datasets/files/locate.h"

namespace okbench {

/// The delay of each row's label in steps of a stream, in the order of the rows. Throws DataError if the part
/// has no delays, for a missing file or wrong digest, for a line that is not an integer >= 0, and for a wrong
/// number of lines.
std::vector<std::uint64_t> LoadDelays(const DataSet& set, const std::string& part,
                                      const DataFolders& folders);

}  // namespace okbench
