#pragma once
// RawRows: the rows of a data set as returned by a reader or a generator, before any transformation.

#include <cstdint>
#include <vector>

#include "learners/core/examples.h"

namespace okbench {

/// Rows in one of two layouts. Dense: `offsets` is empty, `values` has rows * features entries, row-major.
/// Sparse: compressed sparse rows; the entries of row i are offsets[i] .. offsets[i + 1] - 1.
template <class T>
struct RawRows {
  std::size_t features = 0;
  std::vector<T> values;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;  ///< feature indices from 0, increasing within a row; sparse rows only
  std::vector<std::int32_t> labels;    ///< class index of each row; 0 for real targets
  RealTargets real;                    ///< empty for class labels
  bool sparse() const { return !offsets.empty(); }
};

}  // namespace okbench
