// KRLS-T: a step by hand, ridge regression as its case without forgetting, the paper's recursion with
// explicit inverses, and kafbox's error on the Lorenz series.

#include "learners/methods/krls_t/krls_t.h"

#include <Eigen/LU>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::krls_t {
namespace {

using KrlsT = krls_t::KrlsT<double>;
using krls_t::Options;
using testing::FilterContext;

TEST_CASE("KRLS-T: a step by hand") {
  // k = x x', noise 1, jitter 1/4. x = 2, y = 2: g = v = 17/4, s = 21/4, m = 2 (17/4) / (21/4), alpha = m /
  // (17/4) = 8/21.
  const auto rows = testing::Pairs({2, 1}, {2, 4});
  KrlsT learner(Options{.lambda = 1, .noise = 1, .jitter = 0.25}, FilterContext(rows, Kernel::Linear()));
  learner.Step(0);
  CHECK(learner.set().alpha(0, 0) == Approx(8.0 / 21));
  double report = 0;
  learner.Report(std::span(&report, 1));
  CHECK(report == Approx(21.0 / 4));
  CHECK(learner.Step(1).prediction == Approx(16.0 / 21));
  CHECK(learner.counts().requested == 1 + 2);
}

TEST_CASE("KRLS-T: float32 rows lose nothing, although their rounding errors exceed the jitter") {
  // A function of one variable with noise: near points make the kernel matrix almost singular.
  Random random(2);
  std::vector<double> x, y;
  for (int i = 0; i < 3000; ++i) {
    x.push_back(random.Uniform());
    y.push_back(std::sin(20 * x.back()) + 0.3 * random.Normal());
  }
  const auto rows = Examples<double>::Regression(1, std::vector<double>(x), {.targets = y, .truth = y});
  const auto small =
      Examples<float>::Regression(1, std::vector<float>(x.begin(), x.end()), {.targets = y, .truth = y});
  const Kernel kernel = Kernel::RbfFromSigma(0.06);
  const Options options{.noise = 1e-6, .budget = 64};
  KrlsT exact(options, FilterContext(rows, kernel));
  krls_t::KrlsT<float> rounded(options, {.train = &small, .test = nullptr, .kernel = kernel});
  double errors = 0, others = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    errors += exact.Step(i).loss;
    others += rounded.Step(i).loss;
  }
  CHECK(others < 1.1 * errors);
}

TEST_CASE("KRLS-T without forgetting and budget is ridge regression") {
  // The prior of f at S is K + jitter I, the targets add the noise: alpha = (K + (jitter + noise) I)^-1 y.
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto rows = testing::RandomDense<double>(40, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    KrlsT learner(Options{.lambda = 1, .noise = 0.1, .jitter = 0.01}, FilterContext(rows, kernel));
    for (std::uint32_t i = 0; i < rows.size(); ++i) learner.Step(i);
    const auto n = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd gram(n, n);
    Eigen::VectorXd y(n);
    for (std::uint32_t a = 0; a < rows.size(); ++a) {
      y[a] = rows.target(a);
      for (std::uint32_t b = 0; b < rows.size(); ++b)
        gram(a, b) = testing::PlainKernel(kernel, rows, a, rows, b) + (a == b ? 0.11 : 0);
    }
    const Eigen::VectorXd alpha = gram.inverse() * y;
    for (std::uint32_t j = 0; j < rows.size(); ++j)
      CHECK(learner.set().alpha(0, j) == Approx(alpha[j]).margin(1e-7));
    // The predictive variance of a Gaussian process with the noise, at new rows.
    const auto test = testing::RandomDense<double>(10, 3, LabelKind::kReal, 2, seed + 50);
    std::vector<double> variances(test.size());
    const std::uint64_t requested = learner.counts().requested;
    learner.Variances(test, variances);
    CHECK(learner.counts().requested == requested);
    CHECK(learner.counts().evaluation == test.size() * (rows.size() + 1));
    for (std::uint32_t i = 0; i < test.size(); ++i) {
      Eigen::VectorXd k(n);
      for (std::uint32_t a = 0; a < rows.size(); ++a) k[a] = testing::PlainKernel(kernel, test, i, rows, a);
      CHECK(variances[i] == Approx(1 + 0.11 - k.dot(gram.inverse() * k)).margin(1e-7));
    }
  }
}

TEST_CASE("KRLS-T equals its recursion with explicit inverses, with forgetting and a budget") {
  using Eigen::Index;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto rows = testing::RandomDense<double>(100, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    constexpr double kLambda = 0.97, kNoise = 0.05, kJitter = 1e-3;
    KrlsT learner(Options{.lambda = kLambda, .noise = kNoise, .jitter = kJitter, .budget = 9},
                  FilterContext(rows, kernel));
    std::vector<std::uint32_t> members;
    Eigen::VectorXd m(0), alpha(0);
    Eigen::MatrixXd c(0, 0);
    const auto k = [&](std::uint32_t i, std::uint32_t j) {
      return testing::PlainKernel(kernel, rows, i, rows, j);
    };
    const auto gram = [&] {
      const auto n = static_cast<Index>(members.size());
      Eigen::MatrixXd out(n, n);
      for (Index a = 0; a < n; ++a)
        for (Index b = 0; b < n; ++b)
          out(a, b) = k(members[static_cast<std::size_t>(a)], members[static_cast<std::size_t>(b)]);
      return out;
    };
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const auto n = static_cast<Index>(members.size());
      Eigen::VectorXd row(n);
      for (Index a = 0; a < n; ++a) row[a] = k(members[static_cast<std::size_t>(a)], i);
      REQUIRE(learner.Step(i).prediction == Approx(n == 0 ? 0 : row.dot(alpha)).margin(1e-7));
      Eigen::MatrixXd kernel_matrix = gram();
      c = kLambda * c + (1 - kLambda) * kernel_matrix;
      m *= std::sqrt(kLambda);
      kernel_matrix += kJitter * Eigen::MatrixXd::Identity(n, n);
      const Eigen::VectorXd q = kernel_matrix.inverse() * row;
      const double g = k(i, i) + kJitter - row.dot(q);
      const Eigen::VectorXd h = c * q;
      const double v = g + q.dot(h), s = kNoise + v, predicted = q.dot(m);
      Eigen::VectorXd direction(n + 1), next(n + 1);
      direction << h, v;
      next << m, predicted;
      next += (rows.target(i) - predicted) / s * direction;
      Eigen::MatrixXd grown(n + 1, n + 1);
      grown << c, h, h.transpose(), v;
      grown -= direction * direction.transpose() / s;
      REQUIRE(g >= kJitter);  // distinct inputs
      members.push_back(i);
      m = next;
      c = grown;
      Eigen::MatrixXd inverse = (gram() + kJitter * Eigen::MatrixXd::Identity(n + 1, n + 1)).inverse();
      alpha = inverse * m;
      if (n + 1 <= 9) continue;
      Index least = 0;
      (alpha.array().abs() / inverse.diagonal().array()).minCoeff(&least);
      members.erase(members.begin() + least);
      std::vector<Index> kept;
      for (Index a = 0; a <= n; ++a)
        if (a != least) kept.push_back(a);
      m = Eigen::VectorXd(m(kept));
      c = Eigen::MatrixXd(c(kept, kept));
      alpha = (gram() + kJitter * Eigen::MatrixXd::Identity(n, n)).inverse() * m;
    }
  }
}

TEST_CASE("KRLS-T on the Lorenz series: kafbox prints -56.82 dB, another interpreter -57.08") {
  const auto rows = testing::LorenzRows();
  KrlsT learner(Options{.lambda = 1, .noise = 1e-6, .jitter = 1e-6, .budget = 100},
                FilterContext(rows, testing::kLorenzKernel));
  CHECK(testing::Decibel(learner, rows) == Approx(-57).margin(2));
}

}  // namespace
}  // namespace okbench::krls_t
