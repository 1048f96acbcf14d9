#pragma once
// From the rows of files to those that learners see: joined, rescaled, of unit norm, with final labels.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "datasets/catalog.h"
#include "datasets/raw_rows.h"
#include "datasets/request.h"

namespace okbench {

/// Sparse rows become dense ones.
template <class T>
void Densify(RawRows<T>& rows);

/// More rows of as many features; dense if one of the two is.
template <class T>
void Append(RawRows<T>& rows, RawRows<T> more);

/// How the rows of a request are made of integers; nothing where they are not said to be, or these would
/// be too large for exact sums. Follows from catalogue and request, before anything is read.
std::optional<IntegerScale> IntegerScaleOf(const DataSet& set, const DataRequest& request);

/// The integers that rows as read are made of once the request has transformed them; null without a
/// IntegerScaleOf. Throws DataError where a value is not what the catalogue says.
template <class T>
std::shared_ptr<const IntegerRows> IntegerRowsOf(const DataSet& set, const DataRequest& request,
                                             const RawRows<T>& rows);

/// Rescales and divides by norms as the request says.
template <class T>
void Transform(const DataSet& set, const DataRequest& request, RawRows<T>& rows);

/// From class indices to labels: -1 and 1 where there are two classes or the request makes two. Throws
/// DataError for a class that the set has not got.
std::vector<std::int32_t> FinalLabels(const DataSet& set, const DataRequest& request,
                                      std::vector<std::int32_t> classes);

}  // namespace okbench
