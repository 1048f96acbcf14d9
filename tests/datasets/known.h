#pragma once
// The committed catalog, and data folders without data.

#include "datasets/catalog/catalog.h"
#include "datasets/files/locate.h"

namespace okbench::testing {

inline Catalog Known() {
  Catalog catalog;
  catalog.Read(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  return catalog;
}

inline const DataFolders kNoFolder{"/nonexistent/cache", ""};

}  // namespace okbench::testing
