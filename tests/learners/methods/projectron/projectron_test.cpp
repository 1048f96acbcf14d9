// Projectron and Projectron++: a case by hand, projections against a direct solution, and equality with the
// perceptron for eta = 0.

#include "learners/methods/projectron/projectron.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "learners/api/registry.h"
#include "learners/core/eigen.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::projectron {
namespace {

using Projectron = OneVsRest<double, projectron::Method>;
using projectron::Options;

LearnerContext<double> ContextOf(const Examples<double>& rows, const Kernel& kernel) {
  return {.train = &rows, .test = nullptr, .kernel = kernel};
}

double Reported(const Projectron& learner, std::size_t column) {
  std::vector<double> values(learner.Columns().size());
  learner.Report(values);
  return values[column];
}

TEST_CASE("Projectron++: six steps by hand", "[projectron]") {
  // The linear kernel in the plane, eta = 3/4.
  //   x_0 = (1, 0), +1: mistake, delta = 1: added, f = <(1, 0), .>, K^-1 = [1].
  //   x_1 = (1/2, 1/2), -1: f = 1/2, mistake; d = 1/2, delta = 1/2 <= 3/4: projected, f = <(1/2, 0), .>.
  //   x_2 = (1, 0), +1: f = 1/2, l = 1/2 > delta / eta = 0: n = 1, a = min(1/2, 1, 1): f = <(1, 0), .>.
  //   x_3 = (1/2, 3/8), +1: f = 1/2, l = 1/2; delta / eta = 1/2 is not below l: no update.
  //   x_4 = (0, 1), +1: f = 0, mistake; delta = 1: added; K^-1 = identity.
  //   x_5 = (3/4, -5/8), +1: f = 1/8, l = 7/8, in span: n = 9/16 + 25/64 = 61/64; a = min(56/61, 112/61, 1).
  const auto rows = Examples<double>::Dense(2, {1, 0, 0.5, 0.5, 1, 0, 0.5, 0.375, 0, 1, 0.75, -0.625},
                                            {1, -1, 1, 1, 1, 1}, LabelKind::kBinary, 2);
  Projectron learner(Options{.eta = 0.75}, ContextOf(rows, Kernel::Linear()));
  const auto alpha = [&](std::size_t place) {
    return learner.set().alpha(0, learner.set().members(0)[place]);
  };
  CHECK(learner.Step(0).mistake);
  CHECK(alpha(0) == 1);
  CHECK(learner.Step(1).loss == 1.5);
  CHECK(alpha(0) == 0.5);
  CHECK(learner.Step(2).prediction == 0.5);
  CHECK(alpha(0) == 1);
  CHECK(learner.counts().requested == 2 + 3);  // no member, then one; and k(x, x) three times
  learner.Step(3);
  CHECK(alpha(0) == 1);
  CHECK(learner.Step(4).mistake);
  REQUIRE(learner.support_vectors() == 2);
  CHECK(learner.Step(5).prediction == 0.125);
  CHECK(alpha(0) == Approx(1 + 0.75 * 56 / 61));
  CHECK(alpha(1) == Approx(1 - 0.625 * 56 / 61));
  CHECK(Reported(learner, 0) == 2);
  CHECK(Reported(learner, 1) == 1);
  CHECK(Reported(learner, 2) == 2);

  // Squared variant: x_3 has delta^2 / eta = 9/64 / (3/4) = 3/16 < 1/2; n = 1/4: a = min(2, 5/2, 1).
  Projectron squared(Options{.eta = 0.75, .squared = true}, ContextOf(rows, Kernel::Linear()));
  for (std::uint32_t i = 0; i < 4; ++i) squared.Step(i);
  CHECK(squared.set().alpha(0, 0) == 1.5);
  // Projectron ignores margin errors. With a full support set it projects without requesting k(x, x).
  Projectron plain(Options{.eta = 0.75, .plus_plus = false, .budget = 1}, ContextOf(rows, Kernel::Linear()));
  for (std::uint32_t i = 0; i < 5; ++i) plain.Step(i);
  CHECK(plain.support_vectors() == 1);
  CHECK(plain.set().alpha(0, 0) == 0.5);
  CHECK(plain.counts().requested == 4 + 1);
}

TEST_CASE("Projectron++: a projection is the nearest function in the span", "[projectron]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto rows = testing::RandomDense<double>(120, 3, LabelKind::kBinary, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    const bool squared = seed % 2 == 0;
    const double eta = 0.35;
    Projectron learner(Options{.eta = eta, .squared = squared}, ContextOf(rows, kernel));
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const auto members = learner.set().members(0);
      const auto n = static_cast<Eigen::Index>(members.size());
      Eigen::MatrixXd gram(n, n);
      Eigen::VectorXd k(n), before(n);
      for (Eigen::Index a = 0; a < n; ++a) {
        const std::uint32_t x = learner.set().example(members[static_cast<std::size_t>(a)]);
        k[a] = testing::PlainKernel(kernel, rows, x, rows, i);
        before[a] = learner.set().alpha(0, members[static_cast<std::size_t>(a)]);
        for (Eigen::Index b = 0; b < n; ++b)
          gram(a, b) = testing::PlainKernel(kernel, rows, x, rows,
                                            learner.set().example(members[static_cast<std::size_t>(b)]));
      }
      const Eigen::VectorXd d = n == 0 ? Eigen::VectorXd(0) : Eigen::VectorXd(gram.ldlt().solve(k));
      const double norm = k.dot(d), delta2 = std::max(0.0, 1 - norm);
      const double delta = squared ? delta2 : std::sqrt(delta2);
      const double y = rows.label(i), f = learner.Step(i).prediction;
      REQUIRE(f == Approx(before.dot(k)).margin(1e-9));
      if (y * f <= 0 && delta > eta) {
        REQUIRE(learner.support_vectors() == static_cast<std::size_t>(n) + 1);
        continue;
      }
      double a = 0;
      if (y * f <= 0) a = 1;
      if (const double loss = 1 - y * f; y * f > 0 && loss > delta / eta)
        a = std::min({loss / norm, 2 * (loss - delta / eta) / norm, 1.0});
      REQUIRE(learner.support_vectors() == static_cast<std::size_t>(n));
      for (Eigen::Index j = 0; j < n; ++j)
        REQUIRE(learner.set().alpha(0, learner.set().members(0)[static_cast<std::size_t>(j)]) ==
                Approx(before[j] + y * a * d[j]).margin(1e-8));
    }
    CHECK(Reported(learner, 0) > 5);
    CHECK(Reported(learner, 1) > 5);
    CHECK(Reported(learner, 2) > 5);
  }
}

TEST_CASE("Projectron with eta = 0 equals the perceptron", "[projectron]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const bool plus_plus : {true, false}) {
      const auto rows = testing::RandomDense<double>(150, 6, LabelKind::kBinary, 2, seed);
      const Kernel kernel = Kernel::RbfFromGamma(0.3);
      Projectron learner(Options{.eta = 0, .plus_plus = plus_plus}, ContextOf(rows, kernel));
      const LearnerInfo& info = FindLearner("perceptron");
      const auto perceptron =
          info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, {}), ContextOf(rows, kernel));
      for (std::uint32_t i = 0; i < rows.size(); ++i) {
        double f = 0;
        for (const std::uint32_t slot : learner.set().members(0)) {
          const std::uint32_t s = learner.set().example(slot);
          f += rows.label(s) * testing::PlainKernel(kernel, rows, s, rows, i);
        }
        const StepOutcome outcome = learner.Step(i);
        REQUIRE(outcome.prediction == Approx(f).margin(1e-12));
        REQUIRE(outcome.mistake == perceptron->Step(i).mistake);
        REQUIRE(learner.support_vectors() == perceptron->support_vectors());
      }
      CHECK(learner.support_vectors() > 20);
    }
}

TEST_CASE("Projectron in single precision accepts repeated rows", "[projectron]") {
  // The same rows five times, eta = 0: from its second mistake on, each row is in the span except for
  // rounding.
  const auto rows = testing::RandomDense<float>(80, 2, LabelKind::kBinary, 2, 4);
  OneVsRest<float, projectron::Method> learner(
      Options{.eta = 0}, LearnerContext<float>{.train = &rows, .kernel = Kernel::RbfFromGamma(0.5)});
  for (int pass = 0; pass < 5; ++pass)
    for (std::uint32_t i = 0; i < rows.size(); ++i) REQUIRE(std::isfinite(learner.Step(i).loss));
  CHECK(learner.support_vectors() <= rows.size());
  double size = 0;
  for (const std::uint32_t slot : learner.set().members(0))
    size = std::max(size, std::fabs(learner.set().alpha(0, slot)));
  CHECK(size < 1e6);
}

}  // namespace
}  // namespace okbench::projectron
