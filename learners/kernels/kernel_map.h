#pragma once
// KernelMap: an explicit feature map whose coordinates are sums of kernel values (Nystroem features).
//
//   z_c(x) = sum_j m_cj k(x_j, x)
//
// A plain value; the engine (engine.h) alone evaluates it, and counts its coordinates.

#include <cstddef>

#include "learners/core/aligned.h"

namespace okbench {

struct KernelMap {
  std::size_t coordinates = 0;
  std::size_t stride = 0;  ///< kernel values of a row, a multiple of 16; those beyond the x_j have m = 0
  AlignedVector<double> columns;  ///< m, [coordinate][stride]
};

}  // namespace okbench
