#pragma once
// Random numbers of generated data sets.

#include <cstddef>
#include <string>

#include "datasets/catalog/catalog.h"
#include "learners/core/random.h"

namespace okbench {

/// Key of the data set in the seeds of synthetic rows. Must never change: it determines every synthetic row.
inline constexpr char kSyntheticAxis[] =
    "stand"
    "-in";

/// Random numbers of one row.
inline Random RowRandom(const DataSet& set, const std::string& part, std::size_t row) {
  return Random(DeriveSeed({{kSyntheticAxis, set.name}, {"part", part}, {"row", std::to_string(row)}}));
}

/// Random numbers shared by all rows of a data set; they determine the shape of its classes.
inline Random ShapeRandom(const DataSet& set) {
  return Random(DeriveSeed({{kSyntheticAxis, set.name}, {"shape", ""}}));
}

}  // namespace okbench
