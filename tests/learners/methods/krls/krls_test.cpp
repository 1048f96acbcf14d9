// KRLS-ALD: a case by hand, and comparisons with batch least squares solutions.

#include "learners/methods/krls/krls.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

#include "learners/core/eigen.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::krls {
namespace {

using Krls = OneVsRest<double, krls::Method>;
using krls::Options;

LearnerContext<double> ContextOf(const Examples<double>& rows, const Kernel& kernel) {
  return {.train = &rows, .test = nullptr, .kernel = kernel};
}

TEST_CASE("KRLS: three steps by hand", "[krls]") {
  // k(x, x') = x x'. x_0 = 2, y = 2: delta = 4, alpha = 2 / 4, f(x) = x, loss 2.
  //   x_1 = 1, y = 4: f = 1, a = 2 / 4, delta = 0: P = 1, q = 1/2 / (1 + 1/4) = 2/5, P = 1 - 1/5 = 4/5,
  //   alpha = 1/2 + 1/4 2/5 3 = 4/5, f(x) = 8/5 x: the least squares of (2, 2) and (1, 4), (4 + 4) / (4 + 1).
  //   x_2 = 2, y = 0: f = 16/5; a = 1, q = 4/5 / (9/5) = 4/9, alpha = 4/5 - 1/4 4/9 16/5 = 4/9: slope 8 / 9.
  const auto rows = Examples<double>::Regression(1, {2, 1, 2}, {.targets = {2, 4, 0}, .truth = {2, 4, 0}});
  Krls learner(Options{}, ContextOf(rows, Kernel::Linear()));
  CHECK(learner.Step(0).loss == 2);
  CHECK(learner.set().alpha(0, 0) == 0.5);
  const StepOutcome second = learner.Step(1);
  CHECK(second.prediction == 1);
  CHECK(second.loss == 4.5);
  CHECK_FALSE(second.mistake);
  CHECK(learner.set().alpha(0, 0) == Approx(0.8));
  CHECK(learner.Step(2).prediction == Approx(3.2));
  CHECK(learner.set().alpha(0, 0) == Approx(4.0 / 9));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.counts().requested == 2 + 3);

  // With a full budget it requests no more k(x, x).
  Krls full(Options{.budget = 1}, ContextOf(rows, Kernel::Linear()));
  for (std::uint32_t i = 0; i < 3; ++i) full.Step(i);
  CHECK(full.set().alpha(0, 0) == Approx(4.0 / 9));
  CHECK(full.counts().requested == 2 + 1);
}

TEST_CASE("KRLS with a small nu interpolates all targets", "[krls]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto rows = testing::RandomDense<double>(25, 5, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.4);
    Krls learner(Options{.nu = 0}, ContextOf(rows, kernel));
    for (std::uint32_t i = 0; i < rows.size(); ++i) learner.Step(i);
    REQUIRE(learner.support_vectors() == rows.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      CHECK(learner.Step(i).prediction == Approx(rows.target(i)).margin(1e-7));
    CHECK(learner.support_vectors() == rows.size());
  }
}

TEST_CASE("KRLS equals the least squares solution on its dictionary", "[krls]") {
  // If the dictionary is full before the examples that follow, alpha minimises
  //   sum_i (y_i - a_i'K alpha)^2, a_i = K^-1 k(x_i).
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto rows = testing::RandomDense<double>(90, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.2);
    constexpr Eigen::Index kSize = 8;
    Krls learner(Options{.nu = 0.01, .budget = kSize}, ContextOf(rows, kernel));
    std::vector<Eigen::VectorXd> sides;
    Eigen::MatrixXd gram;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const std::size_t before = learner.support_vectors();
      learner.Step(i);
      const std::size_t size = learner.support_vectors();
      const auto n = static_cast<Eigen::Index>(size);
      gram.resize(n, n);
      Eigen::VectorXd k(n);
      for (std::uint32_t a = 0; a < size; ++a) {
        k[a] = testing::PlainKernel(kernel, rows, learner.set().example(a), rows, i);
        for (std::uint32_t b = 0; b < size; ++b)
          gram(a, b) =
              testing::PlainKernel(kernel, rows, learner.set().example(a), rows, learner.set().example(b));
      }
      sides.push_back(size > before ? Eigen::VectorXd(Eigen::VectorXd::Unit(n, n - 1))
                                    : Eigen::VectorXd(gram.ldlt().solve(k)));
    }
    REQUIRE(learner.support_vectors() == kSize);
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(sides.size()), kSize);
    Eigen::VectorXd y(a.rows());
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const Eigen::VectorXd& side = sides[static_cast<std::size_t>(i)];
      a.row(i).head(side.size()) = side.transpose();
      y[i] = rows.target(static_cast<std::size_t>(i));
    }
    const Eigen::VectorXd expected = gram.ldlt().solve(a.householderQr().solve(y));
    for (std::uint32_t j = 0; j < kSize; ++j)
      CHECK(learner.set().alpha(0, j) == Approx(expected[j]).epsilon(1e-6).margin(1e-6));
  }
}

// Mean squared error in decibel of one-step predictions of the Lorenz system, after the first 1000 steps.
// Input: the last six values of the third component. Euler's rule with step 0.01, sigma 10, rho 28, beta 8/3.
double LorenzError(double nu) {
  constexpr std::size_t kSteps = 4000, kInputs = 6;
  std::vector<double> series;
  double x = 10, y = 7, z = 35;
  for (std::size_t i = 0; i < kSteps + kInputs; ++i) {
    series.push_back(z);
    const double dx = 10 * (y - x), dy = x * (28 - z) - y, dz = x * y - 8.0 / 3 * z;
    x += 0.01 * dx;
    y += 0.01 * dy;
    z += 0.01 * dz;
  }
  std::vector<double> values, targets;
  for (std::size_t i = 0; i < kSteps; ++i) {
    values.insert(values.end(), series.begin() + static_cast<std::ptrdiff_t>(i),
                  series.begin() + static_cast<std::ptrdiff_t>(i + kInputs));
    targets.push_back(series[i + kInputs]);
  }
  const auto rows = Examples<double>::Regression(kInputs, values, {.targets = targets, .truth = targets});
  Krls learner(Options{.nu = nu}, ContextOf(rows, Kernel::RbfFromSigma(32)));
  double sum = 0;
  for (std::uint32_t i = 0; i < kSteps; ++i) {
    const double error = learner.Step(i).prediction - targets[i];
    if (i >= 1000) sum += error * error;
  }
  return 10 * std::log10(sum / (kSteps - 1000));
}

TEST_CASE("KRLS keeps tolerances far below 10^-3", "[krls]") {
  // An inverse of the kernel matrix, updated step by step, stops at -27 dB.
  const double coarse = LorenzError(1e-3), fine = LorenzError(1e-4), finest = LorenzError(1e-6);
  CHECK(coarse < -25);
  CHECK(fine < -35);
  CHECK(finest < -50);
}

}  // namespace
}  // namespace okbench::krls
