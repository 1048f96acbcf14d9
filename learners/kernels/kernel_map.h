#pragma once
// KernelMap: an explicit feature map whose coordinates are sums of kernel values (Nystroem features).
//
//   z_c(x) = sum_j m_cj k(x_j, x)
//
// A plain value; KernelEngine::Map computes the coordinates and counts them.

#include <cstddef>

#include "learners/core/aligned.h"

namespace okbench {

struct KernelMap {
  std::size_t coordinates = 0;
  std::size_t stride = 0;         ///< kernel values per row, a multiple of 16; padding has m = 0
  AlignedVector<double> columns;  ///< m, [coordinate][kernel value]
};

}  // namespace okbench
