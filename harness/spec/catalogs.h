#pragma once
// Data catalogs: the data sets that specs can name.

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"

namespace okbench {

/// Paths of the catalogs to read, in this order: the project's, with `replacements` that of real data in
/// place of the papers', the one written by `okbench data add` (if it exists), and those listed in
/// OKBENCH_CATALOG, separated by colons.
std::vector<std::string> CatalogPaths(bool replacements = false);

/// Reads and merges all catalogs of CatalogPaths(). Throws DataError.
Catalog ReadCatalog(bool replacements = false);

/// The results of ReadCatalog(), each read once. Thread-safe.
class Catalogs {
 public:
  /// Throws DataError.
  const Catalog& Get(bool replacements);

 private:
  std::mutex mutex_;
  std::optional<Catalog> plain_, with_replacements_;
};

}  // namespace okbench
