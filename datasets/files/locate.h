#pragma once
// Locates the files of data sets: first in the cache, then in the user's data folder, in the mirror, and
// where a Debian package installs them.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"

namespace okbench {

/// The folders that may hold data files.
struct DataFolders {
  std::string cache;   ///< OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench
  std::string mirror;  ///< OKBENCH_MIRROR; empty: no mirror
  std::string own{};   ///< UserDataFolder(), for data sets added by the user; empty: not searched
  /// SHA-256 of the content of files, by name, when the run was planned. Checked for files whose digest the
  /// catalog lacks.
  std::map<std::string, std::string> planned{};
  bool generated_only = false;  ///< no file is used, even if it exists
  /// Reads the folders from the environment. Throws DataError if OKBENCH_MIRROR is not a folder.
  static DataFolders FromEnvironment();
  /// All folders in search order, separated by commas, for messages.
  std::string Names() const;
};

/// The folder in which `okbench data add` stores files and their catalog: OKBENCH_DATA, else
/// XDG_DATA_HOME/okbench, else ~/.local/share/okbench.
std::string UserDataFolder();

/// A file that exists on disk.
struct FoundFile {
  DataFile file;  ///< the file of the catalog, or the alternative that was found
  std::string path;
  bool planned = false;  ///< file.sha256 is DataFolders::planned
};

/// Returns the file, then its alternatives, in search order. The returned files have no alternatives.
std::vector<DataFile> FileChoices(const DataFile& file);

/// Returns the first of FileChoices() that exists in one of the folders, or nullopt. In the mirror the file
/// may also be directly in the top folder. Last, tries the path where a package installs the file.
std::optional<FoundFile> Locate(const DataFile& file, const DataFolders& folders);

/// Returns the decompressed content of a file. Throws DataError if a digest differs from the catalog's or
/// the plan's.
std::string ReadVerified(const FoundFile& location);

}  // namespace okbench
