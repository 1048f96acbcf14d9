#pragma once
// Loading: from a name to Examples. Files are looked for in the cache, then in the mirror folder, and checked
// by sha256; where they cannot be had, the catalogue's stand-in is generated instead, and says so.

#include <optional>
#include <string>
#include <vector>

#include "datasets/catalog.h"
#include "learners/core/examples.h"

namespace okbench {

/// Where files are looked for.
struct DataFolders {
  std::string cache;   ///< okbench's own: OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench
  std::string mirror;  ///< OKBENCH_MIRROR, or empty; throws DataError when it is no folder
  static DataFolders FromEnvironment();
};

/// What a trial wants of a data set.
struct DataRequest {
  std::string name;
  std::string part = "train";   ///< "train", "test", or "all": train followed by test
  std::vector<int> positive{};  ///< not empty: classes that become +1, the others -1
  bool rescale = false;         ///< map the catalogue's range linearly to [scale_low, scale_high]
  double scale_low = 0, scale_high = 1;
  bool unit_norm = false;  ///< after rescaling, divide each row by its Euclidean norm (zero rows stay zero)
  bool force_stand_in = false;
  std::size_t rows = 0;  ///< stand-ins: rows to generate; 0: as many as the real part has
};

/// What a request comes to, known without loading anything.
struct DataPlan {
  bool stand_in = false;
  std::string digest;  ///< of the files, or of the generator; part of every trial id
  std::size_t rows = 0;
};

/// The file in the cache or mirror; nullopt when it is in neither.
std::optional<std::string> Locate(const DataFile& file, const DataFolders& folders);

/// Decides between files and stand-in. Throws DataError for an unknown part.
DataPlan PlanData(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// Loads, or generates when the request forces the stand-in (PlanData tells where files are missing), and
/// transforms. Throws DataError: no file, wrong sha256, bad content, wrong number of rows.
template <class T>
Examples<T> Load(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// Checks one file's content against the catalogue; throws DataError. Returns the content.
std::string ReadVerified(const DataFile& file, const std::string& path);

/// Digest of what learners see: every value and label.
template <class T>
std::string ContentDigest(const Examples<T>& examples);

}  // namespace okbench
