#pragma once
// Loading: from a name to Examples. Files are looked for in the cache, then in the mirror folder, and checked
// by sha256; where they cannot be had, the catalogue's synthetic fallback is generated instead, and says so.

#include <string>

#include "datasets/catalog.h"
#include "datasets/data_plan.h"
#include "datasets/locate.h"
#include "datasets/request.h"
#include "learners/core/examples.h"

namespace okbench {

/// Loads, or generates when the request forces the synthetic fallback (PlanData tells where files are missing), and
/// transforms. Throws DataError: no file, wrong sha256, bad content, wrong number of rows.
template <class T>
Examples<T> Load(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// What the request leaves of the rows that Load gives: the first ones, and of them a fold, whose split
/// depends on the data set's name and the number of folds alone. Throws DataError.
template <class T>
Examples<T> Subset(const Examples<T>& examples, const DataRequest& request);

/// Digest of what learners see: every value and label.
template <class T>
std::string ContentDigest(const Examples<T>& examples);

}  // namespace okbench
