#pragma once
// RawRows: the rows of a data set as a format's reader or a generator gives them.

#include <cstdint>
#include <vector>

#include "learners/core/examples.h"

namespace okbench {

/// Rows as read: dense (offsets empty, rows * features values) or compressed sparse rows.
template <class T>
struct RawRows {
  std::size_t features = 0;
  std::vector<T> values;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<std::int32_t> labels;  ///< class indices; 0 for real targets
  RealTargets real;
  bool sparse() const { return !offsets.empty(); }
};

}  // namespace okbench
