#pragma once
// Transforms the rows of files into the rows that learners see: concatenation, scaling, unit norm, final
// labels.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "datasets/rows/raw_rows.h"
#include "datasets/rows/request.h"

namespace okbench {

/// Converts sparse rows to dense rows. REQUIRES: rows.sparse().
template <class T>
void Densify(RawRows<T>& rows);

/// Appends rows with the same number of features. The result is dense unless both are sparse.
template <class T>
void Append(RawRows<T>& rows, RawRows<T> more);

/// Returns the scale by which the transformed rows are integers. Returns nullopt if the catalog has no
/// integer_scale, or if the integers are too large for exact sums. Depends only on catalog and request.
std::optional<IntegerScale> IntegerScaleOf(const DataSet& set, const DataRequest& request);

/// Returns the integers of the transformed rows, given dense rows before Transform(). Returns null if
/// IntegerScaleOf() is empty. Throws DataError for a value outside the range or not a multiple of
/// 1 / integer_scale.
template <class T>
std::shared_ptr<const IntegerRows> IntegerRowsOf(const DataSet& set, const DataRequest& request,
                                                 const RawRows<T>& rows);

/// Applies `scale`, then `unit_norm` of the request. Sparse rows become dense if the map moves 0.
template <class T>
void Transform(const DataSet& set, const DataRequest& request, RawRows<T>& rows);

/// Returns the labels of class indices: -1 and 1 for binary sets and for requests with positive classes, else
/// the indices. Throws DataError for a positive class that the data set lacks.
std::vector<std::int32_t> FinalLabels(const DataSet& set, const DataRequest& request,
                                      std::vector<std::int32_t> classes);

}  // namespace okbench
