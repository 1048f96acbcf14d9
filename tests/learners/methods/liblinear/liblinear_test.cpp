// LIBLINEAR: one example by hand, optimality, overhead, and invalid input.

#include "learners/methods/liblinear/liblinear.h"

#include <numeric>

#include "learners/methods/liblinear/solve.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::liblinear {
namespace {

using liblinear::Liblinear;

template <class T>
LearnerContext<T> Context(const Examples<T>& train) {
  return {.train = &train, .test = &train, .kernel = Kernel::Linear()};
}

TEST_CASE("LIBLINEAR reports the time outside its solver as overhead") {
  const auto data = testing::RandomDense<double>(2000, 10, LabelKind::kBinary, 2, 4);
  std::vector<std::uint32_t> rows(data.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const liblinear::Stopwatch whole;
  Liblinear<double> solver({.lambda = 0.01}, Context(data));
  const double begun = solver.overhead_seconds();
  CHECK(begun > 0);
  solver.Announce(rows);
  solver.Round();
  CHECK(solver.overhead_seconds() > begun);
  CHECK(solver.overhead_seconds() < whole.Seconds());
  const liblinear::Stopwatch asked;
  liblinear::Problem problem{.features = 1, .labels = {1}, .ends = {1}, .indices = {0}, .values = {1}};
  const double seconds = liblinear::Solve(problem).seconds;
  CHECK((seconds > 0 && seconds < asked.Seconds()));
}

TEST_CASE("LIBLINEAR: no weights near its solution are better") {
  const auto data = testing::RandomDense<double>(2000, 10, LabelKind::kBinary, 2, 4);
  std::vector<std::uint32_t> rows(2000);
  std::iota(rows.begin(), rows.end(), 0U);
  Liblinear<double> best({.lambda = 0.01, .tolerance = 1e-3}, Context(data));
  best.Announce(rows);
  const RoundOutcome solved = best.Round();
  CHECK((solved.finished && solved.converged));
  const double optimum = best.MeasureTraining().objective.value();
  CHECK(solved.mean_loss == Approx(best.MeasureTraining().mean_loss).epsilon(1e-12));
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Eigen::VectorXd w = best.weights();
    for (double& value : w) value += 0.02 * random.Normal();
    CHECK(MeasureLinear<double>(data, rows, w, 0.01).objective.value() > optimum * (1 - 1e-6));
  }
}

TEST_CASE("LIBLINEAR: one example by hand") {
  // x = 2, y = +1, lambda = 1: w^2/2 + max(0, 1 - 2w) has its minimum at w = 1/2, where the loss ends.
  const auto data = Examples<double>::Dense(1, {2}, {1}, LabelKind::kBinary, 2);
  const std::uint32_t row = 0;
  Liblinear<double> solver({.lambda = 1, .tolerance = 1e-9}, Context(data));
  solver.Announce(std::span(&row, 1));
  CHECK(solver.Round().converged);
  CHECK(solver.weights()[0] == Approx(0.5).epsilon(1e-8));
  CHECK(solver.MeasureTraining().objective.value() == Approx(0.125).epsilon(1e-8));
}

TEST_CASE("LIBLINEAR rejects nonlinear kernels") {
  const auto binary = testing::RandomDense<float>(10, 2, LabelKind::kBinary, 2, 1);
  LearnerContext<float> context = Context(binary);
  context.kernel = Kernel::RbfFromGamma(1);
  CHECK_THROWS_WITH(Liblinear<float>({}, context), Catch::Contains("kernel.name must be linear"));
}

}  // namespace
}  // namespace okbench::liblinear
