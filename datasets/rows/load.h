#pragma once
// Loads the Examples of a data set. Files are located by Locate() and checked against the catalog's
// digests. Load() never falls back to synthetic data by itself: callers set force_synthetic from
// DataPlan::synthetic.

#include <string>

#include "datasets/catalog/catalog.h"
#include "datasets/files/locate.h"
#include "datasets/rows/data_plan.h"
#include "datasets/rows/request.h"
#include "learners/core/examples.h"

namespace okbench {

/// Reads the rows of a request and transforms them. Generates them instead if the request forces the
/// synthetic fallback or the data set has no files. Ignores sample, first and fold: see Subset().
/// Throws DataError for a missing file, a wrong digest, bad content or a wrong number of rows.
template <class T>
Examples<T> Load(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// Selects the rows of a request from the result of Load(): first a random sample, then the first rows of it,
/// then a fold of those. The sample depends only on the data set's name and its size; larger samples contain
/// smaller ones. The folds depend only on the data set's name and the numbers of rows and folds.
/// Throws DataError for invalid folds.
template <class T>
Examples<T> Subset(const Examples<T>& examples, const DataRequest& request);

/// Returns the sha256 of everything learners see: all values, indices, labels and targets.
template <class T>
std::string ContentDigest(const Examples<T>& examples);

}  // namespace okbench
