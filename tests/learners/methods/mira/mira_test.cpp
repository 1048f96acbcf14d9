// MIRA: the QP of its update against brute force, and updates by hand.

#include "learners/methods/mira/mira.h"

#include "learners/solvers/capped_simplex.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::mira {
namespace {

using mira::MiraUpdate;

LearnerContext<double> Context(const Examples<double>& train) {
  return {.train = &train, .test = nullptr, .kernel = Kernel::Linear(), .lookahead = 16};
}

double Objective(double a, const std::vector<double>& b, const std::vector<double>& tau) {
  double value = 0;
  for (std::size_t r = 0; r < b.size(); ++r) value += 0.5 * a * tau[r] * tau[r] + b[r] * tau[r];
  return value;
}

TEST_CASE("MIRA's QP: one problem by hand") {
  // Three classes, y = 0, A = 1, B = (-0.5, 0.2, 0): D = (0.5, 0.2, 0). theta = (0.5 - 1)/1 < 0.2; (0.7 -
  // 1)/2 = -0.15 < 0; (0.7 - 1)/3 = -0.1. tau = (-0.1 + 0.5, -0.1 - 0.2, -0.1 - 0) = (0.4, -0.3, -0.1).
  CappedSimplexSolver solver(3);
  std::vector<double> tau(3);
  solver.Solve(1, std::vector{-0.5, 0.2, 0.0}, 0, 1, tau);
  CHECK(tau[0] == Approx(0.4).epsilon(1e-14));
  CHECK(tau[1] == Approx(-0.3).epsilon(1e-14));
  CHECK(tau[2] == Approx(-0.1).epsilon(1e-14));
}

TEST_CASE("MIRA's QP: coordinates whose optimum is zero are exactly zero") {
  Random random(6);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> b = {random.Normal(), random.Normal(), random.Normal()}, tau(3, 1.0);
    b[1] = std::max({b[0], b[1], b[2]});
    CappedSimplexSolver(3).Solve(0.1 + 3 * random.Uniform(), b, 1, 10 * random.Uniform() + 0.1, tau);
    REQUIRE(tau == std::vector<double>{0, 0, 0});
  }
}

TEST_CASE("MIRA's QP: the solution is feasible, and no feasible point nearby is better") {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t n = 2 + random.Below(6);
    const std::size_t y = random.Below(n);
    const double a = 0.1 + 3 * random.Uniform(), cap = 0.2 + 2 * random.Uniform();
    std::vector<double> b(n), tau(n);
    for (double& v : b) v = 2 * random.Normal();
    CappedSimplexSolver(n).Solve(a, b, y, cap, tau);
    double sum = 0;
    for (std::size_t r = 0; r < n; ++r) {
      sum += tau[r];
      REQUIRE(tau[r] <= (r == y ? cap : 0) + 1e-12);
    }
    REQUIRE(sum == Approx(0).margin(1e-12));
    const double best = Objective(a, b, tau);
    // The problem is convex, so it suffices to move mass between every pair of classes, in both directions
    // and several amounts.
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t s = 0; s < n; ++s)
        for (const double step : {1e-4, 1e-2, 0.3}) {
          auto other = tau;
          other[r] += step;
          other[s] -= step;
          if (r == s || other[r] > (r == y ? cap : 0)) continue;
          REQUIRE(Objective(a, b, other) >= best - 1e-12);
        }
  }
}

TEST_CASE("MIRA: the first update gives the margin beta, by hand") {
  // f = 0, y = 1 of 3 classes, k(x,x) = 4, beta = 0.01: B = (0, -0.01, 0), tau = (-t/2, t, -t/2); the least
  // change with A (t + t/2) = beta is t = 0.01 / 6.
  const auto data = Examples<double>::Dense(1, {2, 2}, {1, 1}, LabelKind::kMulticlass, 3);
  BudgetLearner<double, MiraUpdate, UnboundedCache> learner(MiraUpdate(3, 0.01), {}, {.beta = 0.01},
                                                            Context(data));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.mistake && outcome.margin_error && outcome.loss == 0.01));
  CHECK(learner.cache().tau(0, 1) == Approx(0.01 / 6).epsilon(1e-13));
  CHECK(learner.cache().tau(0, 0) == Approx(-0.01 / 12).epsilon(1e-13));
  CHECK(learner.counts().requested == 1);
  outcome = learner.Step(1);
  CHECK(!outcome.mistake);
  CHECK(outcome.loss == Approx(0).margin(1e-15));
}

TEST_CASE("MIRA: an example that becomes correct by a removal alone is not inserted, by hand") {
  // Linear, one dimension, two classes, beta = 0.5, a fixed cache of two: M_1 = -M_0 = m. x = 1 (1): A = 1, 2
  // tau = beta: tau = 1/4, m = 1/4. x = -1 (1): margin -1/2, tau 2 = 1: 1/2, m = -1/4. x = 2 (1): margin 4 m
  // = -1. The cache removes the member with the largest margin without itself: -1/2 for x = -1, and -1 for x
  // = 1. So x = -1 is removed, m = 1/4, and the margin becomes 4 m = 1 > 1/2.
  const auto data = Examples<double>::Dense(1, {1, -1, 2}, {1, 1, 1}, LabelKind::kMulticlass, 2);
  BudgetLearner<double, MiraUpdate, FixedCache> learner(MiraUpdate(2, 0.5), FixedCache{2}, {.beta = 0.5},
                                                        Context(data));
  for (const std::uint32_t i : {0U, 1U, 2U}) CHECK(learner.Step(i).margin_error);
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.cache().in_use(0));
  CHECK(learner.cache().tau(0, 1) == 0.25);
}

}  // namespace
}  // namespace okbench::mira
