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
  std::size_t rows = 0;     ///< generated data: rows to generate; 0: as many as the real part has
  std::size_t first = 0;    ///< only the first rows of all that; 0: all. Not for Load: see Subset
  std::uint64_t folds = 0;  ///< cross validation over them: 0, or the number of folds
  std::uint64_t fold = 0;
  bool held_out = false;  ///< the rows that the fold holds out, instead of those it trains on
};

/// What a request comes to, known without loading anything.
struct DataPlan {
  bool stand_in = false;
  std::string digest;  ///< of the files, or of the generator; part of every trial id
  std::size_t rows = 0;
  std::vector<int> image;  ///< height and width of a row as an image, empty when it is none
  double margin = 0;       ///< of a generated separable set, else 0
};

/// The file in the cache or mirror; nullopt when it is in neither.
std::optional<std::string> Locate(const DataFile& file, const DataFolders& folders);

/// Decides between files and stand-in. Throws DataError for an unknown part.
DataPlan PlanData(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// Loads, or generates when the request forces the stand-in (PlanData tells where files are missing), and
/// transforms. Throws DataError: no file, wrong sha256, bad content, wrong number of rows.
template <class T>
Examples<T> Load(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// What the request leaves of the rows that Load gives: the first ones, and of them a fold, whose split
/// depends on the data set's name and the number of folds alone. Throws DataError.
template <class T>
Examples<T> Subset(const Examples<T>& examples, const DataRequest& request);

/// Checks one file's content against the catalogue; throws DataError. Returns the content.
std::string ReadVerified(const DataFile& file, const std::string& path);

/// Digest of what learners see: every value and label.
template <class T>
std::string ContentDigest(const Examples<T>& examples);

}  // namespace okbench
