// PKAWV: two steps by hand, the forecaster by its definition, its regret, and late labels.

#include "learners/methods/pkawv/pkawv.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::pkawv {
namespace {

using Pkawv = OneVsRest<double, pkawv::Method>;
using testing::FilterContext;

pkawv::Options With(double nu, double lambda) {
  pkawv::Options options;
  options.nu = nu;
  options.lambda = lambda;
  return options;
}

Eigen::MatrixXd GramOf(const Examples<double>& rows, const Kernel& kernel) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd gram(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      gram(i, j) = testing::PlainKernel(kernel, rows, static_cast<std::uint32_t>(i), rows,
                                        static_cast<std::uint32_t>(j));
  return gram;
}

TEST_CASE("PKAWV: two steps by hand") {
  // k = x x', lambda = 1. x = 1, y = 2 joins: phi = 1, the prediction is 0, then A = 2, b = 2, f(x) = x. x =
  // 2, y = 1 stays out: phi = 2, f = 2, phi'A^-1 phi = 2, prediction 2/3; then A = 6, b = 4, f(x) = 2/3 x.
  const auto rows = testing::Pairs({1, 2}, {2, 1});
  Pkawv learner(With(0.5, 1), FilterContext(rows, Kernel::Linear()));
  CHECK(learner.Step(0).prediction == 0);
  CHECK(learner.set().alpha(0, 0) == Approx(1));
  CHECK(learner.Predict(1).prediction == Approx(2.0 / 3));
  CHECK(learner.counts().evaluation == 2);  // a prediction alone is no learning
  CHECK(learner.Step(1).prediction == Approx(2.0 / 3));
  CHECK(learner.set().alpha(0, 0) == Approx(2.0 / 3));
  CHECK(learner.counts().requested == 1 + 2);
}

TEST_CASE("PKAWV with all examples in the dictionary is the kernel Vovk-Azoury-Warmuth forecaster") {
  // Its prediction is that of kernel ridge regression on the examples so far and (x_t, 0).
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto rows = testing::RandomDense<double>(80, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.5);
    constexpr double kLambda = 0.1;
    Pkawv learner(With(0, kLambda), FilterContext(rows, kernel));
    const Eigen::MatrixXd gram = GramOf(rows, kernel);
    Eigen::VectorXd y(static_cast<Eigen::Index>(rows.size()));
    double loss = 0, largest = 0;
    for (std::uint32_t t = 0; t < rows.size(); ++t) {
      const auto n = static_cast<Eigen::Index>(t) + 1;
      y[n - 1] = 0;
      Eigen::MatrixXd ridge = gram.topLeftCorner(n, n);
      ridge.diagonal().array() += kLambda;
      const double expected = gram.row(n - 1).head(n).dot(ridge.ldlt().solve(y.head(n)));
      y[n - 1] = rows.target(t);
      const double prediction = learner.Step(t).prediction;
      REQUIRE(prediction == Approx(expected).margin(1e-9));
      loss += (prediction - y[n - 1]) * (prediction - y[n - 1]);
      largest = std::max(largest, std::fabs(y[n - 1]));
    }
    CHECK(learner.support_vectors() == rows.size());
    // The regret to the best f with its lambda ||f||^2: lambda y'(K + lambda I)^-1 y is the least objective.
    Eigen::MatrixXd ridge = gram;
    ridge.diagonal().array() += kLambda;
    const double best = kLambda * y.dot(ridge.ldlt().solve(y));
    CHECK(loss - best <= largest * largest * std::log((ridge / kLambda).determinant()));
    CHECK(loss > best);
  }
}

}  // namespace
}  // namespace okbench::pkawv
