// Eigenvectors of symmetric matrices against their definition and against Eigen's solver.

#include "learners/methods/nogd/symmetric_eigen.h"

#include <Eigen/Eigenvalues>
#include <limits>

#include "base/error.h"
#include "learners/core/random.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows NormalRows(std::size_t rows, std::size_t columns, Random& random) {
  return Rows::NullaryExpr(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
                           [&random] { return random.Normal(); });
}

// Checks A V = V D and V'V = I for the largest `count` eigenvalues, and compares them with Eigen's solver.
void RequireSystem(const Rows& a, std::size_t count) {
  const auto n = static_cast<std::size_t>(a.rows());
  const EigenSystem system = SymmetricEigen({a.data(), n * n}, n, count);
  REQUIRE(system.values.size() == n);
  REQUIRE(system.vectors.size() == n * count);
  const double scale = a.cwiseAbs().maxCoeff() * static_cast<double>(n), size = static_cast<double>(n);
  const Eigen::Map<const Rows> v(system.vectors.data(), static_cast<Eigen::Index>(count), a.rows());
  const Eigen::Map<const Eigen::VectorXd> values(system.values.data(), a.rows());
  const Rows scaled = values.head(v.rows()).asDiagonal() * v;
  if (count > 0) {
    CHECK((v * a - scaled).cwiseAbs().maxCoeff() <= 1e-14 * scale);
    CHECK((v * v.transpose() - Rows::Identity(v.rows(), v.rows())).cwiseAbs().maxCoeff() <= 1e-14 * size);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> reference(a, Eigen::EigenvaluesOnly);
  CHECK((reference.eigenvalues().reverse() - values).cwiseAbs().maxCoeff() <= 1e-14 * scale);
}

TEST_CASE("symmetric eigenvectors: a 2 x 2 matrix by hand", "[eigen]") {
  // (2 1; 1 2): eigenvalue 3 for (1, 1), eigenvalue 1 for (1, -1).
  const std::vector<double> a = {2, 1, 1, 2};
  const EigenSystem system = SymmetricEigen(a, 2, 2);
  CHECK(system.values[0] == Approx(3).epsilon(1e-15));
  CHECK(system.values[1] == Approx(1).epsilon(1e-15));
  CHECK(system.vectors[0] == Approx(system.vectors[1]).epsilon(1e-15));
  CHECK(system.vectors[2] == Approx(-system.vectors[3]).epsilon(1e-15));
  CHECK(system.vectors[0] * system.vectors[0] == Approx(0.5).epsilon(1e-15));
  CHECK(SymmetricEigen(std::vector<double>{-5.0}, 1, 1).values == std::vector<double>{-5});
  CHECK(SymmetricEigen({}, 0, 0).values.empty());
}

TEST_CASE("symmetric eigenvectors of random matrices", "[eigen]") {
  Random random(1);
  for (const std::size_t n : {1, 2, 3, 5, 17, 40, 131})
    for (int seed = 0; seed < 4; ++seed) {
      const Rows b = NormalRows(n, n, random);
      const Rows symmetric = b + b.transpose().eval();
      RequireSystem(symmetric, n);
      RequireSystem(symmetric, (n + 3) / 4);
    }
}

TEST_CASE("symmetric eigenvectors: repeated, zero and widely spread eigenvalues", "[eigen]") {
  Random random(2);
  for (const std::size_t n : {4, 33, 90}) {
    const auto size = static_cast<Eigen::Index>(n);
    RequireSystem(Rows::Zero(size, size), n);
    RequireSystem(Rows::Identity(size, size), n);
    RequireSystem(Rows::Ones(size, size), n);  // n once, and 0 n-1 times
    const Rows low = NormalRows(n, 3, random);
    RequireSystem(low * low.transpose(), n);
    // Two disjoint blocks: each eigenvalue occurs twice.
    Rows twice = Rows::Zero(2 * size, 2 * size);
    const Rows full = NormalRows(n, n, random);
    twice.topLeftCorner(size, size) = full * full.transpose();
    twice.bottomRightCorner(size, size) = full * full.transpose();
    RequireSystem(twice, 2 * n);
    // Eigenvalues from 1 down to 1e-300.
    Rows graded = Rows::Zero(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      graded(i, i) = std::pow(10.0, -300.0 * i / static_cast<double>(n));
    RequireSystem(graded, n);
    const Rows q = Eigen::HouseholderQR<Eigen::MatrixXd>(full).householderQ();
    RequireSystem(q * graded * q.transpose() + (q * graded * q.transpose()).transpose().eval(), n);
    RequireSystem(1e200 * (full + full.transpose().eval()), n);
    RequireSystem(1e-200 * (full + full.transpose().eval()), n);
  }
}

TEST_CASE("symmetric eigenvectors: repeated rows make a matrix of low rank", "[eigen]") {
  Random random(3);
  for (const Eigen::Index distinct : {2, 40}) {
    const Rows x = NormalRows(static_cast<std::size_t>(distinct), 2, random);
    constexpr Eigen::Index kRows = 400;
    Rows gram(kRows, kRows);
    for (Eigen::Index i = 0; i < kRows; ++i)
      for (Eigen::Index j = 0; j < kRows; ++j)
        gram(i, j) = std::exp(-(x.row(i % distinct) - x.row(j % distinct)).squaredNorm());
    RequireSystem(gram, 80);
  }
}

TEST_CASE("symmetric eigenvectors: input of the wrong size or not finite is rejected", "[eigen]") {
  const std::vector<double> three(3, 1.0), infinite = {1, std::numeric_limits<double>::infinity(), 1, 1};
  CHECK_THROWS_AS(SymmetricEigen(three, 2, 1), InvalidArgument);
  CHECK_THROWS_AS(SymmetricEigen(three, 1, 2), InvalidArgument);
  CHECK_THROWS_AS(SymmetricEigen(infinite, 2, 1), InvalidArgument);
}

}  // namespace
}  // namespace okbench
