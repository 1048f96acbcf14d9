// Budget learners: cached scores against direct sums, counts, the bound of theorem 1, and invalid input.

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/methods/mira/mira.h"
#include "learners/methods/perceptron/perceptron.h"
#include "learners/solvers/capped_simplex.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::budget_test {
namespace {

using mira::MiraUpdate;
using perceptron::PerceptronUpdate;

template <class T>
LearnerContext<T> Context(const Examples<T>& train, const Kernel& kernel) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .lookahead = 16};
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
        info.parameters, {{"cache", std::string(cache)}, {"budget", std::int64_t{700}}, {"beta", 0.5}});
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
          {{"cache", std::string(cache)}, {"budget", std::int64_t{60}}, {"removal_rows", std::string(row)}});
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
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"budget", std::int64_t{0}}}), Catch::Contains(">= 2"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"budget", std::int64_t{1}}}), Catch::Contains(">= 2"));
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
}  // namespace okbench::budget_test
