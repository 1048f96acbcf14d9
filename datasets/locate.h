#pragma once
// Where the files of data sets are: in the cache, else in the user's own folder, else in the mirror.

#include <optional>
#include <string>
#include <vector>

#include "datasets/catalog.h"

namespace okbench {

/// Where files are looked for.
struct DataFolders {
  std::string cache;   ///< okbench's own: OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench
  std::string mirror;  ///< OKBENCH_MIRROR, or empty; throws DataError when it is no folder
  std::string own{};   ///< what the user has added: OwnDataFolder()
  static DataFolders FromEnvironment();
  /// "cache, own folder and mirror", for messages.
  std::string Names() const;
};

/// Where `okbench data add` puts files and their catalogue: OKBENCH_DATA, else XDG_DATA_HOME/okbench, else
/// ~/.local/share/okbench.
std::string OwnDataFolder();

/// A file that is there.
struct FoundFile {
  DataFile file;  ///< as the catalogue has it, or that of its alternatives that was found
  std::string path;
};

/// A file and its alternatives, each on its own, in the order in which they are looked for.
std::vector<DataFile> FileChoices(const DataFile& file);

/// The first of the choices that the cache or the mirror has; nullopt when there is none.
std::optional<FoundFile> Locate(const DataFile& file, const DataFolders& folders);

/// Checks a file against the catalogue; throws DataError. Returns the content.
std::string ReadVerified(const FoundFile& found);

}  // namespace okbench
