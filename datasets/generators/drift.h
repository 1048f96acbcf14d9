#pragma once
// Generators of streams whose concept changes: SEA, sine, STAGGER, LED, random RBF and the rotating
// hyperplane. The bits are the same on every machine. Row t has its own seed, so it does not depend on the
// rows before it.

#include <cstddef>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "datasets/rows/raw_rows.h"

namespace okbench {

/// Whether GenerateDrift() implements the generator.
bool IsDriftGenerator(const std::string& generator);

/// Generates rows first .. first + count - 1 of a part, as Generate() does. The part "test" has the first
/// concept. Throws DataError if the set does not fit the generator.
template <class T>
RawRows<T> GenerateDrift(const DataSet& set, const std::string& part, std::size_t count, std::size_t first);

/// Returns the rows of the training part, counted from 0, at which a new concept begins, in increasing order.
/// They come from the catalog, or from the generator if the rows are `generated`.
std::vector<std::uint64_t> ChangePoints(const DataSet& set, bool generated, std::uint64_t rows);

}  // namespace okbench
