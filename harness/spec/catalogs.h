#pragma once
// The data catalogues that specs can name.

#include <string>
#include <vector>

#include "datasets/catalog.h"

namespace okbench {

/// Paths of the project's catalogue, the catalogue of `okbench data add`, and those of OKBENCH_CATALOG (a
/// colon-separated list), in this order.
std::vector<std::string> CatalogPaths();

/// Reads all of CatalogPaths(). Throws DataError.
Catalog ReadCatalog();

}  // namespace okbench
