#pragma once
// Eigen is the library for dense linear algebra outside the kernel engine. On a path that determines a trace
// it is used elementwise only (sums of vectors, multiples, minima: each entry is rounded on its own, whatever
// the packet size); reductions and products choose their order by packet size and alignment there, and go
// through sums.h or a loop instead.

#include <Eigen/Core>

namespace okbench {

/// One row an example, or a class.
template <class T>
using RowMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows of somebody else's memory, possibly with room between them.
template <class T>
using RowMatrixView = Eigen::Map<const RowMatrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

}  // namespace okbench
