// DictionaryRidge: stable over 10^5 steps at a ridge of 1e-6, against a fresh factorisation.

#include "learners/solvers/dictionary_ridge.h"

#include <Eigen/Cholesky>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench {
namespace {

TEST_CASE("DictionaryRidge after 100000 steps agrees with a fresh factorisation, ridge 1e-6") {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const auto rows = testing::LorenzRows();
  constexpr double kRidge = 1e-6, kNu = 1e-3;
  DictionaryRidge ridge(kRidge);
  std::vector<std::uint32_t> members;
  std::vector<double> k;
  const auto kernel = [&](std::uint32_t i, std::uint32_t j) {
    return testing::PlainKernel(testing::kLorenzKernel, rows, i, rows, j);
  };
  // A and b of the features L^-1 k, in long double.
  Matrix l(0, 0), a(0, 0), b(0, 1);
  for (int step = 0; step < 100000; ++step) {
    const auto i = static_cast<std::uint32_t>(step) % static_cast<std::uint32_t>(rows.size());
    k.clear();
    for (const std::uint32_t s : members) k.push_back(kernel(s, i));
    ridge.Project(k);
    Matrix phi(static_cast<Eigen::Index>(k.size()), 1);
    for (std::size_t j = 0; j < k.size(); ++j) phi(static_cast<Eigen::Index>(j), 0) = k[j];
    if (!k.empty()) l.triangularView<Eigen::Lower>().solveInPlace(phi);
    if (ridge.SquaredDistance(1) > kNu) {
      REQUIRE(ridge.CanJoin(1, 0));
      ridge.Join(1, 0);
      members.push_back(i);
      const auto n = static_cast<Eigen::Index>(members.size());
      const long double delta = std::sqrt(1 - phi.squaredNorm());
      l.conservativeResizeLike(Matrix::Zero(n, n));
      a.conservativeResizeLike(Matrix::Zero(n, n));
      b.conservativeResizeLike(Matrix::Zero(n, 1));
      l.row(n - 1).head(n - 1) = phi.transpose();
      l(n - 1, n - 1) = delta;
      phi.conservativeResize(n, 1);
      phi(n - 1, 0) = delta;
    }
    ridge.Add(1, rows.target(i));
    a += phi * phi.transpose();
    b += static_cast<long double>(rows.target(i)) * phi;
  }
  CHECK(members.size() > 10);
  a.diagonal().array() += kRidge;
  const Matrix solution = a.ldlt().solve(b);
  const Matrix fresh = l.triangularView<Eigen::Lower>().transpose().solve(solution);
  std::vector<double> alpha;
  ridge.Coefficients(alpha);
  // Predictions, because coefficients of near members may differ.
  for (std::uint32_t i = 0; i < rows.size(); i += 97) {
    long double expected = 0;
    double prediction = 0;
    for (std::size_t j = 0; j < members.size(); ++j) {
      expected += fresh(static_cast<Eigen::Index>(j), 0) * kernel(members[j], i);
      prediction += alpha[j] * kernel(members[j], i);
    }
    REQUIRE(prediction == Approx(static_cast<double>(expected)).epsilon(1e-6));
  }
}

}  // namespace
}  // namespace okbench
