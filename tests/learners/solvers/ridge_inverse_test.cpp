// RidgeInverse: stable over 10^5 changes at a ridge of 1e-6, against a fresh factorisation.

#include "learners/solvers/ridge_inverse.h"

#include <Eigen/Cholesky>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench {
namespace {

TEST_CASE("RidgeInverse after 100000 changes agrees with a fresh factorisation, ridge 1e-6") {
  const auto rows = testing::LorenzRows();
  constexpr double kRidge = 1e-6;
  constexpr std::size_t kSize = 20;
  const auto k = [&](std::size_t i, std::size_t j) {
    return testing::PlainKernel(testing::kLorenzKernel, rows, i, rows, j);
  };
  RidgeInverse inverse;
  std::vector<std::size_t> members;
  std::vector<double> row, d;
  Random random(1);
  for (int change = 0; change < 100000; ++change) {
    const bool grows = members.size() < 2 || (members.size() < kSize && random.Below(2) == 0);
    if (grows) {
      const std::size_t i = random.Below(rows.size());
      row.clear();
      for (const std::size_t s : members) row.push_back(k(s, i));
      inverse.Solve(row, d);
      REQUIRE(inverse.Grow(d, k(i, i) + kRidge));
      members.push_back(i);
    } else {
      const std::size_t p = random.Below(members.size());
      inverse.Remove(p);
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(p));
    }
  }
  const auto n = static_cast<Eigen::Index>(members.size());
  Eigen::MatrixXd gram(n, n);
  for (Eigen::Index a = 0; a < n; ++a)
    for (Eigen::Index b = 0; b < n; ++b)
      gram(a, b) = k(members[static_cast<std::size_t>(a)], members[static_cast<std::size_t>(b)]) +
                   (a == b ? kRidge : 0);
  const Eigen::MatrixXd fresh = gram.llt().solve(Eigen::MatrixXd::Identity(n, n));
  for (Eigen::Index a = 0; a < n; ++a) {
    std::vector<double> unit(members.size(), 0.0);
    unit[static_cast<std::size_t>(a)] = 1;
    inverse.Solve(unit, d);
    for (Eigen::Index b = 0; b < n; ++b)
      CHECK(d[static_cast<std::size_t>(b)] == Approx(fresh(b, a)).epsilon(1e-5).margin(1e-5 * fresh.norm()));
    CHECK(inverse.Diagonal(static_cast<std::size_t>(a)) == Approx(fresh(a, a)).epsilon(1e-4));
  }
}

}  // namespace
}  // namespace okbench
