#pragma once
// Generators: data sets of their own, and stand-ins of the same shape as a data set; the same bits
// everywhere. Each row has its own seed
// (data set, part, row), so any number of rows can be made, and more rows never change the first ones.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/catalog.h"
#include "datasets/raw_rows.h"
#include "learners/core/random.h"

namespace okbench {

/// Version of the generated data; part of its digest. Change it with any change of the rows.
inline constexpr int kGeneratorVersion = 1;

/// `rows` rows of a part of a data set, or standing in for it. Throws DataError for an unknown generator.
template <class T>
RawRows<T> Generate(const DataSet& set, const std::string& part, std::size_t rows);

/// One image of a handwritten-like digit: side * side intensities in [0, 1], row by row. Strokes with random
/// slant, size, shift, thickness, wobble and noise.
std::vector<double> DrawDigit(int digit, int side, Random& random);

}  // namespace okbench
