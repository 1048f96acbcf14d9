// Perceptron and MIRA on a budget: cases by hand, the small QP against brute force, cached scores against
// direct sums, and the bound of theorem 1.

#include <catch2/catch.hpp>

#include "learners/api/registry.h"
#include "learners/core/error.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/methods/mira/mira.h"
#include "learners/methods/perceptron/perceptron.h"
#include "learners/solvers/capped_simplex.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using mira::MiraUpdate;
using perceptron::PerceptronUpdate;

template <class T>
LearnerContext<T> Context(const Examples<T>& train, const Kernel& kernel) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .lookahead = 16};
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
                                                            Context(data, Kernel::Linear()));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.mistake && outcome.margin_error && outcome.loss == 0.01));
  CHECK(learner.cache().tau(0, 1) == Approx(0.01 / 6).epsilon(1e-13));
  CHECK(learner.cache().tau(0, 0) == Approx(-0.01 / 12).epsilon(1e-13));
  CHECK(learner.counts().requested == 1);
  outcome = learner.Step(1);
  CHECK(!outcome.mistake);
  CHECK(outcome.loss == Approx(0).margin(1e-15));
}

TEST_CASE("perceptron with a fixed cache of two: removes the largest margin without itself, by hand") {
  // Linear, one dimension, beta = 10: every example is inserted. x = 1, 3, 2, all +1. After two examples, w =
  // 4. Margins without the example's own term: y_1 (4 - 1) = 3 for x = 1 and 4*3 - 9 = 3 for x = 3. Ties go
  // to the lowest slot, so x = 1 is removed. Then w = 3 + 2 = 5.
  const auto data = Examples<double>::Dense(1, {1, 3, 2}, {1, 1, 1}, LabelKind::kBinary, 2);
  BudgetLearner<double, PerceptronUpdate, FixedCache> learner({}, FixedCache{2}, {.beta = 10},
                                                              Context(data, Kernel::Linear()));
  for (const std::uint32_t i : {0U, 1U, 2U}) CHECK(learner.Step(i).margin_error);
  CHECK(learner.support_vectors() == 2);
  CHECK(learner.cache().example(0) == 2);  // in the freed slot
  CHECK(learner.cache().example(1) == 1);
  CHECK(learner.cache().score(0, 0) == 10);
  CHECK(learner.cache().score(1, 0) == 15);
  // Example 1: 0 + k(x,x). Example 2: 1 + k(x,x). Example 3: 2 + a removal row of 2 + k(x,x).
  CHECK(learner.counts().requested == 1 + 2 + 5);
}

TEST_CASE("MIRA: an example that becomes correct by a removal alone is not inserted, by hand") {
  // Linear, one dimension, two classes, beta = 0.5, a fixed cache of two: M_1 = -M_0 = m. x = 1 (1): A = 1, 2
  // tau = beta: tau = 1/4, m = 1/4. x = -1 (1): margin -1/2, tau 2 = 1: 1/2, m = -1/4. x = 2 (1): margin 4 m
  // = -1. The cache removes the member with the largest margin without itself: -1/2 for x = -1, and -1 for x
  // = 1. So x = -1 is removed, m = 1/4, and the margin becomes 4 m = 1 > 1/2.
  const auto data = Examples<double>::Dense(1, {1, -1, 2}, {1, 1, 1}, LabelKind::kMulticlass, 2);
  BudgetLearner<double, MiraUpdate, FixedCache> learner(MiraUpdate(2, 0.5), FixedCache{2}, {.beta = 0.5},
                                                        Context(data, Kernel::Linear()));
  for (const std::uint32_t i : {0U, 1U, 2U}) CHECK(learner.Step(i).margin_error);
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.cache().in_use(0));
  CHECK(learner.cache().tau(0, 1) == 0.25);
}

template <class Update, class Policy>
void CheckScores(Update update, Policy policy, LabelKind kind, int classes, bool hold, std::uint64_t seed) {
  const auto data = testing::RandomDense<double>(300, 5, kind, classes, seed);
  const Kernel kernel = Kernel::RbfFromGamma(0.1);
  const double beta = 0.05;
  BudgetLearner<double, Update, Policy> learner(update, policy, {.beta = beta, .hold_rows = hold},
                                                Context(data, kernel));
  std::vector<std::uint32_t> order(300);
  for (std::uint32_t i = 0; i < 300; ++i) order[i] = i;
  learner.Announce(order);
  std::uint64_t expected = 0;
  std::vector<double> report(2);
  for (const std::uint32_t i : order) {
    expected += learner.support_vectors();
    const std::size_t before = learner.support_vectors();
    learner.Report(report);
    const double deletions = report[1];
    const bool inserted = learner.Step(i).margin_error;
    learner.Report(report);
    expected += inserted ? 1 : 0;
    // A removal requests a row over the current cache. An adaptive cache already contains the new example.
    if (!hold)
      for (int k = 0; k < static_cast<int>(report[1] - deletions); ++k)
        expected += before + (std::is_same_v<Policy, DistilledCache> && inserted ? 1 : 0) -
                    static_cast<std::size_t>(k);
    REQUIRE(learner.counts().requested == expected);
  }
  CHECK(report[0] - report[1] == static_cast<double>(learner.support_vectors()));
  const auto& cache = learner.cache();
  double largest = -1e300;
  for (std::size_t s = 0; s < cache.slots(); ++s) {
    if (!cache.in_use(s)) continue;
    const std::uint32_t i = cache.example(s);
    std::vector<double> without(cache.outputs());
    bool dead = true;
    for (std::size_t r = 0; r < cache.outputs(); ++r) {
      double direct = 0;
      for (std::size_t o = 0; o < cache.slots(); ++o)
        if (cache.in_use(o))
          direct += cache.tau(o, r) * testing::PlainKernel(kernel, data, cache.example(o), data, i);
      REQUIRE(cache.score(s, r) == Approx(direct).margin(1e-10));
      without[r] = direct - cache.tau(s, r);
      dead = dead && cache.tau(s, r) == 0;
    }
    REQUIRE(!dead);
    largest = std::max(largest, update.Margin(without, data.label(i)));
  }
  CHECK(const_cast<ScoredCache<double>&>(cache).LargestMargin().margin == Approx(largest).margin(1e-10));
  if (std::is_same_v<Policy, DistilledCache>) CHECK(largest < beta);
}

TEST_CASE("scores of cached examples equal direct sums, and evaluations are counted exactly") {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const bool hold : {false, true}) {
      CheckScores(PerceptronUpdate{}, FixedCache{40}, LabelKind::kBinary, 2, hold, seed);
      CheckScores(PerceptronUpdate{}, DistilledCache{0.05}, LabelKind::kBinary, 2, hold, seed);
      CheckScores(MiraUpdate(4, 0.05), FixedCache{40}, LabelKind::kMulticlass, 4, hold, seed);
      CheckScores(MiraUpdate(4, 0.05), DistilledCache{0.05}, LabelKind::kMulticlass, 4, hold, seed);
    }
}

TEST_CASE("caches grow beyond every power of two") {
  // The adaptive cache of overlapping classes grows with the stream. Removals follow insertions at each size.
  const auto data = testing::RandomDense<float>(1500, 12, LabelKind::kMulticlass, 6, 8);
  const LearnerInfo& info = FindLearner("mira");
  for (const char* cache : {"none", "adaptive", "fixed"}) {
    const auto values = ParameterValues::Resolve(
        info.parameters, {{"cache", std::string(cache)}, {"size", std::int64_t{700}}, {"beta", 0.5}});
    const auto learner = info.MakeAs<StreamLearner>(values, Context(data, Kernel::RbfFromGamma(0.5)));
    for (std::uint32_t i = 0; i < 1500; ++i) learner->Step(i);
    CHECK(learner->support_vectors() >= 600);
  }
}

TEST_CASE("cached and recomputed removal rows give the same learner") {
  const auto data = testing::RandomDense<float>(400, 6, LabelKind::kMulticlass, 5, 3);
  const LearnerInfo& info = FindLearner("mira");
  for (const char* cache : {"fixed", "adaptive"}) {
    std::vector<std::uint64_t> requested;
    std::vector<std::vector<double>> losses;
    for (const char* row : {"recompute", "cached"}) {
      const auto values = ParameterValues::Resolve(
          info.parameters,
          {{"cache", std::string(cache)}, {"size", std::int64_t{60}}, {"removal_row", std::string(row)}});
      const auto learner = info.MakeAs<StreamLearner>(values, Context(data, Kernel::RbfFromGamma(0.1)));
      losses.emplace_back();
      for (std::uint32_t i = 0; i < 400; ++i) losses.back().push_back(learner->Step(i).loss);
      requested.push_back(learner->counts().requested);
    }
    CHECK(losses[0] == losses[1]);
    CHECK(requested[0] > requested[1]);
  }
}

TEST_CASE("theorem 1: on separable data, the size of an adaptive cache stays within the bound") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<double> u(6), values;
    double norm = 0;
    for (double& v : u) {
      v = random.Normal();
      norm += v * v;
    }
    for (double& v : u) v /= std::sqrt(norm);
    const double gamma = 0.3, beta = 0.1;
    std::vector<std::int32_t> labels;
    double radius2 = 0;
    while (labels.size() < 500) {
      std::vector<double> x(6);
      double dot = 0, squared = 0;
      for (std::size_t f = 0; f < 6; ++f) {
        x[f] = random.Normal();
        dot += u[f] * x[f];
        squared += x[f] * x[f];
      }
      if (std::fabs(dot) < gamma) continue;
      radius2 = std::max(radius2, squared);
      values.insert(values.end(), x.begin(), x.end());
      labels.push_back(dot > 0 ? 1 : -1);
    }
    const auto data = Examples<double>::Dense(6, values, labels, LabelKind::kBinary, 2);
    BudgetLearner<double, PerceptronUpdate, DistilledCache> learner({}, DistilledCache{beta}, {.beta = beta},
                                                                    Context(data, Kernel::Linear()));
    for (std::uint32_t i = 0; i < 500; ++i) {
      learner.Step(i);
      REQUIRE(static_cast<double>(learner.support_vectors()) <= (radius2 + 2 * beta) / (gamma * gamma));
    }
  }
}

TEST_CASE("an example with k(x,x) = 0 can be a mistake but is never inserted") {
  const auto data = Examples<float>::Dense(2, {0, 0, 1, 0, 0, 0}, {1, 1, 0}, LabelKind::kMulticlass, 2);
  for (const char* cache : {"none", "fixed", "adaptive"}) {
    const LearnerInfo& info = FindLearner("mira");
    const auto learner =
        info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, {{"cache", std::string(cache)}}),
                                   Context(data, Kernel::Polynomial(9, 1, 0)));
    CHECK(learner->Step(0).mistake);
    CHECK(learner->support_vectors() == 0);
    learner->Step(1);
    CHECK(learner->support_vectors() == 1);
    CHECK(std::isfinite(learner->Step(2).loss));
    CHECK(learner->support_vectors() == 1);
  }
}

TEST_CASE("budget learners reject invalid parameters and labels") {
  const auto& table = FindLearner("mira").parameters;
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"size", std::int64_t{0}}}), Catch::Contains(">= 2"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"size", std::int64_t{1}}}), Catch::Contains(">= 2"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"beta", -0.1}}), Catch::Contains("> 0"));
  const auto classes = testing::RandomDense<float>(10, 2, LabelKind::kMulticlass, 3, 1);
  const auto binary = testing::RandomDense<float>(10, 2, LabelKind::kBinary, 2, 1);
  const auto make = [](const char* name, const Examples<float>& data) {
    const LearnerInfo& info = FindLearner(name);
    return info.Make(ParameterValues::Resolve(info.parameters, {}), Context(data, Kernel::Linear()));
  };
  CHECK_THROWS_WITH(make("perceptron", classes), Catch::Contains("needs binary labels"));
  CHECK_THROWS_WITH(make("mira", binary), Catch::Contains("needs multiclass labels"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"beta", 0.0}}), Catch::Contains("> 0"));
  const LearnerInfo& perceptron = FindLearner("perceptron");
  CHECK_THROWS_WITH(
      perceptron.Make(ParameterValues::Resolve(perceptron.parameters, {{"cache", std::string("adaptive")}}),
                      Context(binary, Kernel::Linear())),
      Catch::Contains("beta > 0"));
  CHECK_THROWS_WITH(make("multiclass-svm", binary), Catch::Contains("needs multiclass labels"));
}

}  // namespace
}  // namespace okbench
