#pragma once
// Matrix types of Eigen, used for dense linear algebra outside the kernel engine.
//
// Code that determines a trace may use Eigen only elementwise (sums of vectors, multiples, minima), where
// each entry is rounded independently of the packet size. Reductions and products depend on packet size and
// alignment, so such code uses sums.h or a loop instead.

#include <Eigen/Core>

namespace okbench {

/// A row-major matrix with one row per example or per class.
template <class T>
using RowMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A read-only view of borrowed rows; the outer stride may exceed the row length.
template <class T>
using RowMatrixView = Eigen::Map<const RowMatrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

}  // namespace okbench
