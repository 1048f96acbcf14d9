#pragma once
// Conversions between Examples and Eigen matrices. Separate from examples.h because Eigen's headers are slow
// to compile.

#include <Eigen/SparseCore>
#include <utility>
#include <vector>

#include "learners/core/eigen.h"
#include "learners/core/examples.h"

namespace okbench {

template <class T>
using SparseRows = Eigen::SparseMatrix<T, Eigen::RowMajor>;

namespace internal {

template <class T, class Rows>
std::vector<T> ValueList(const Rows& rows) {
  std::vector<T> values(static_cast<std::size_t>(rows.size()));
  Eigen::Map<RowMatrix<T>>(values.data(), rows.rows(), rows.cols()) = rows;
  return values;
}

}  // namespace internal

template <class T>
template <class Rows>
Examples<T> Examples<T>::Dense(const Eigen::EigenBase<Rows>& rows, std::vector<std::int32_t> labels,
                               LabelKind kind, int classes) {
  return Dense(static_cast<std::size_t>(rows.cols()), internal::ValueList<T>(rows.derived()),
               std::move(labels), kind, classes);
}

template <class T>
template <class Rows>
Examples<T> Examples<T>::Sparse(const Eigen::EigenBase<Rows>& rows, std::vector<std::int32_t> labels,
                                LabelKind kind, int classes) {
  SparseRows<T> compressed = rows.derived();
  compressed.makeCompressed();
  const auto list = [&](const auto* first, Eigen::Index count, auto as) {
    return std::vector<decltype(as)>(first, first + count);
  };
  return Sparse(static_cast<std::size_t>(compressed.cols()),
                list(compressed.outerIndexPtr(), compressed.rows() + 1, std::size_t()),
                list(compressed.innerIndexPtr(), compressed.nonZeros(), std::uint32_t()),
                list(compressed.valuePtr(), compressed.nonZeros(), T()), std::move(labels), kind, classes);
}

template <class T>
template <class Rows>
Examples<T> Examples<T>::Regression(const Eigen::EigenBase<Rows>& rows, RealTargets targets) {
  return Regression(static_cast<std::size_t>(rows.cols()), internal::ValueList<T>(rows.derived()),
                    std::move(targets));
}

/// A view of the values of dense rows, valid as long as the examples live. It has 0 rows for sparse examples.
template <class T>
RowMatrixView<T> MatrixOf(const Examples<T>& examples) {
  const auto columns = static_cast<Eigen::Index>(examples.features());
  const bool dense = !examples.sparse() && examples.size() > 0;
  return {dense ? examples.row(0).values : nullptr, dense ? static_cast<Eigen::Index>(examples.size()) : 0,
          columns, Eigen::OuterStride<>(columns)};
}

/// Copies sparse rows into a sparse matrix. It has no entries for dense examples.
template <class T>
SparseRows<T> SparseMatrixOf(const Examples<T>& examples) {
  SparseRows<T> out(static_cast<Eigen::Index>(examples.size()),
                    static_cast<Eigen::Index>(examples.features()));
  if (!examples.sparse()) return out;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const RowView<T> row = examples.row(i);
    out.startVec(static_cast<Eigen::Index>(i));
    for (std::size_t j = 0; j < row.count; ++j)
      out.insertBack(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(row.indices[j])) = row.values[j];
  }
  out.finalize();
  return out;
}

}  // namespace okbench
