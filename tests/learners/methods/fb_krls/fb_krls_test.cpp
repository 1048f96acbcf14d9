// FB-KRLS: two steps by hand, the removal rule against inverses from scratch, and kafbox's error on the
// Lorenz series.

#include "learners/methods/fb_krls/fb_krls.h"

#include <Eigen/LU>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::fb_krls {
namespace {

using FbKrls = OneVsRest<double, fb_krls::Method>;
using fb_krls::Options;
using testing::FilterContext;

TEST_CASE("FB-KRLS: two steps by hand") {
  // k = x x', lambda = 1, M = 1. x = 2, y = 2: alpha = 2 / 5. x = 1, y = 4: K + I = [5 2; 2 2], its inverse
  // 1/6 [2 -2; -2 5], alpha = (-2/3, 8/3), criteria 2/3 / (1/3) = 2 and 8/3 / (5/6) = 3.2: the first leaves,
  // alpha = 4 / 2.
  const auto rows = testing::Pairs({2, 1}, {2, 4});
  FbKrls learner(Options{.lambda = 1, .budget = 1}, FilterContext(rows, Kernel::Linear()));
  learner.Step(0);
  CHECK(learner.Step(1).prediction == Approx(0.8));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.set().alpha(0, learner.set().UsedSlots()[0]) == Approx(2));
  CHECK(learner.counts().requested == 1 + 2);
}

TEST_CASE("FB-KRLS removes the example that the others predict best, by inverses from scratch") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto rows = testing::RandomDense<double>(80, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    FbKrls learner(Options{.lambda = 0.05, .budget = 10}, FilterContext(rows, kernel));
    std::vector<std::uint32_t> members;
    const auto solve = [&](Eigen::VectorXd& alpha) {
      const auto n = static_cast<Eigen::Index>(members.size());
      Eigen::MatrixXd gram(n, n);
      Eigen::VectorXd y(n);
      for (Eigen::Index a = 0; a < n; ++a) {
        const std::uint32_t member = members[static_cast<std::size_t>(a)];
        y[a] = rows.target(member);
        for (Eigen::Index b = 0; b < n; ++b)
          gram(a, b) =
              testing::PlainKernel(kernel, rows, member, rows, members[static_cast<std::size_t>(b)]) +
              (a == b ? 0.05 : 0);
      }
      const Eigen::MatrixXd inverse = gram.inverse();
      alpha = inverse * y;
      return Eigen::VectorXd(alpha.array().abs() / inverse.diagonal().array());
    };
    Eigen::VectorXd alpha(0);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      double f = 0;
      for (std::size_t j = 0; j < members.size(); ++j)
        f += alpha[static_cast<Eigen::Index>(j)] * testing::PlainKernel(kernel, rows, members[j], rows, i);
      REQUIRE(learner.Step(i).prediction == Approx(f).margin(1e-8));
      members.push_back(i);
      const Eigen::VectorXd criteria = solve(alpha);
      if (members.size() <= 10) continue;
      Eigen::Index least = 0;
      criteria.minCoeff(&least);
      members.erase(members.begin() + least);
      solve(alpha);
    }
  }
}

TEST_CASE("FB-KRLS on the Lorenz series: kafbox prints -55.00 dB, another interpreter -54.88") {
  const auto rows = testing::LorenzRows();
  FbKrls learner(Options{.lambda = 1e-6, .budget = 100}, FilterContext(rows, testing::kLorenzKernel));
  CHECK(testing::Decibel(learner, rows) == Approx(-55).margin(2));
}

}  // namespace
}  // namespace okbench::fb_krls
