#pragma once
// Where the files of data sets are: in the cache, else in the mirror folder.

#include <optional>
#include <string>

#include "datasets/catalog.h"

namespace okbench {

/// Where files are looked for.
struct DataFolders {
  std::string cache;   ///< okbench's own: OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench
  std::string mirror;  ///< OKBENCH_MIRROR, or empty; throws DataError when it is no folder
  static DataFolders FromEnvironment();
};

/// The file in the cache or mirror; nullopt when it is in neither.
std::optional<std::string> Locate(const DataFile& file, const DataFolders& folders);

/// Checks one file's content against the catalogue; throws DataError. Returns the content.
std::string ReadVerified(const DataFile& file, const std::string& path);

}  // namespace okbench
