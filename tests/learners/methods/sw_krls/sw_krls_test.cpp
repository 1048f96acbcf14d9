// SW-KRLS: two steps by hand, the solution of each window, and kafbox's error on the Lorenz series.

#include "learners/methods/sw_krls/sw_krls.h"

#include <Eigen/Cholesky>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::sw_krls {
namespace {

using SwKrls = OneVsRest<double, sw_krls::Method>;
using sw_krls::Options;
using testing::FilterContext;

TEST_CASE("SW-KRLS: two steps by hand") {
  // k = x x', c = 1, M = 1. x = 2, y = 2: alpha = 2 / (4 + 1), f(x) = 4/5 x. x = 1, y = 4: alpha = 4 / (1 +
  // 1).
  const auto rows = testing::Pairs({2, 1}, {2, 4});
  SwKrls learner(Options{.c = 1, .budget = 1}, FilterContext(rows, Kernel::Linear()));
  learner.Step(0);
  CHECK(learner.Step(1).prediction == Approx(0.8));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.set().alpha(0, learner.set().UsedSlots()[0]) == Approx(2));
  CHECK(learner.counts().requested == 1 + 2);
}

TEST_CASE("SW-KRLS solves the ridge regression of every window") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto rows = testing::RandomDense<double>(90, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    constexpr std::uint32_t kWindow = 12;
    SwKrls learner(Options{.c = 0.05, .budget = kWindow}, FilterContext(rows, kernel));
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t first = i < kWindow ? 0 : i - kWindow;
      const Eigen::Index n = i - first;
      Eigen::MatrixXd gram(n, n);
      Eigen::VectorXd y(n), k(n);
      for (Eigen::Index a = 0; a < n; ++a) {
        const auto at = first + static_cast<std::uint32_t>(a);
        y[a] = rows.target(at);
        k[a] = testing::PlainKernel(kernel, rows, at, rows, i);
        for (Eigen::Index b = 0; b < n; ++b)
          gram(a, b) = testing::PlainKernel(kernel, rows, at, rows, first + static_cast<std::uint32_t>(b)) +
                       (a == b ? 0.05 : 0);
      }
      const double expected = n == 0 ? 0 : k.dot(gram.ldlt().solve(y));
      REQUIRE(learner.Step(i).prediction == Approx(expected).margin(1e-9));
    }
  }
}

TEST_CASE("SW-KRLS on the Lorenz series: kafbox prints -37.85 dB") {
  const auto rows = testing::LorenzRows();
  SwKrls learner(Options{.c = 1e-6, .budget = 100}, FilterContext(rows, testing::kLorenzKernel));
  CHECK(testing::Decibel(learner, rows) == Approx(-37.85).margin(1));
}

}  // namespace
}  // namespace okbench::sw_krls
