// Conversion of examples from and to Eigen matrices.

#include "base/error.h"
#include "learners/core/eigen_examples.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("examples convert from and to Eigen matrices") {
  const RowMatrix<float> rows{{1, 0, 2}, {0, 0, 3}};
  const std::vector<std::int32_t> labels = {1, -1};
  const auto dense = Examples<float>::Dense(rows, labels, LabelKind::kBinary, 2);
  CHECK(MatrixOf(dense) == rows);
  CHECK(dense.label(1) == -1);
  // A column-major matrix, and a block of a larger matrix.
  const Eigen::MatrixXf columns = rows;
  CHECK(MatrixOf(Examples<float>::Dense(columns, labels, LabelKind::kBinary, 2)) == rows);
  const Eigen::Ref<const RowMatrix<float>> reference = rows;
  CHECK(MatrixOf(Examples<float>::Dense(reference, labels, LabelKind::kBinary, 2)) == rows);
  CHECK(MatrixOf(Examples<float>::Dense(columns.leftCols(2), labels, LabelKind::kBinary, 2)) ==
        rows.leftCols(2));

  const Eigen::SparseMatrix<float, Eigen::RowMajor> few = rows.sparseView();
  const auto sparse = Examples<float>::Sparse(few, labels, LabelKind::kBinary, 2);
  REQUIRE(sparse.sparse());
  CHECK(sparse.row(0).count == 2);
  CHECK(Eigen::MatrixXf(SparseMatrixOf(sparse)) == rows);
  CHECK(MatrixOf(sparse).rows() == 0);
  CHECK(SparseMatrixOf(dense).nonZeros() == 0);

  const auto real = Examples<float>::Regression(rows, {.targets = {0.5, -2}, .truth = {}});
  CHECK(real.target(1) == -2);
}

TEST_CASE("matrices and labels of different lengths are rejected") {
  const RowMatrix<double> rows = RowMatrix<double>::Zero(3, 2);
  const std::vector<std::int32_t> labels = {1, -1};
  CHECK_THROWS_WITH(Examples<double>::Dense(rows, labels, LabelKind::kBinary, 2),
                    Catch::Contains("for 2 rows"));
  CHECK_THROWS_AS(Examples<double>::Sparse(rows.sparseView(), labels, LabelKind::kBinary, 2),
                  InvalidArgument);
  CHECK_THROWS_AS(Examples<double>::Regression(rows, {.targets = {1, 2}, .truth = {}}), InvalidArgument);
}

TEST_CASE("decreasing offsets of sparse rows are rejected") {
  const auto make = [](std::vector<std::size_t> offsets) {
    return Examples<float>::Sparse(3, std::move(offsets), {0, 1, 2}, {1, 1, 1}, {1, -1}, LabelKind::kBinary,
                                   2);
  };
  CHECK_NOTHROW(make({0, 1, 3}));
  CHECK_THROWS_WITH(make({0, 900, 3}), Catch::Contains("not decrease"));
  CHECK_THROWS_WITH(make({1, 1, 3}), Catch::Contains("begin with 0"));
}

TEST_CASE("added features are 0 in every row") {
  const auto dense =
      Examples<double>::Dense(2, {1, 2, 3, 0}, {1, -1}, LabelKind::kBinary, 2).WithWeights({0.5, 2});
  const auto wider = dense.WithFeatures({.count = 2, .at = 1, .sparse = false});
  REQUIRE(wider.features() == 4);
  CHECK(MatrixOf(wider) == RowMatrix<double>{{1, 0, 0, 2}, {3, 0, 0, 0}});
  CHECK(wider.label(1) == -1);
  CHECK(wider.weight(1) == 2);
  const auto sparse = dense.WithFeatures({.count = 1, .at = 2, .sparse = true});
  REQUIRE(sparse.sparse());
  CHECK(sparse.row(0).count == 2);
  CHECK(sparse.row(1).count == 1);
  CHECK(sparse.features() == 3);
  const auto again = sparse.WithFeatures({.count = 1, .at = 0, .sparse = false});
  CHECK(again.row(1).indices[0] == 1);
  CHECK_THROWS_AS(dense.WithFeatures({.count = 1, .at = 3, .sparse = false}), InvalidArgument);
}

}  // namespace
}  // namespace okbench
