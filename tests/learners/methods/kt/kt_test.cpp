// KT coin betting: a case by hand, its wealth, its regret bound, and its condition on the kernel.

#include "learners/methods/kt/kt.h"

#include "base/error.h"
#include "tests/learners/function_learners.h"

namespace okbench::kt {
namespace {

using testing::Alphas;
using testing::MembersOf;
using testing::PlainKernel;

TEST_CASE("KT: six bets by hand") {
  // x = 1 always, k = 1, so that f_t = W_{t-1} / t theta_{t-1} at x. W: 1, 1, 3/2, 3/2 (f_3 = 3/2 2/3 = 1 is
  // on the margin), 9/4 (f_4 = 3/2 2/4 = 3/4). Then y = -1: f_5 = 9/4 3/5 = 1.35, W = 0.9. f_6 = 0.9 2/6 =
  // 0.3.
  const auto data = testing::Binary(1, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, -1, 1});
  for (const Kernel& kernel : {Kernel::Linear(), Kernel::RbfFromGamma(3)}) {
    const auto learner = testing::MakeFunctions<kt::Method>("kt", {}, data, kernel);
    const double scores[] = {0, 0.5, 1, 0.75, 1.35, 0.3}, wealths[] = {1, 1.5, 1.5, 2.25, 0.9, 1.2};
    for (std::uint32_t i = 0; i < 6; ++i) {
      CHECK(learner->Step(i).prediction == Approx(scores[i]).margin(1e-15));
      CHECK(learner->method(0).wealth() == Approx(wealths[i]));
    }
    CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{0, 1, 3, 4, 5});
    const auto alphas = Alphas(*learner);  // W_6 / 7 times +1 or -1
    for (std::size_t s = 0; s < 5; ++s) CHECK(alphas[s] == (s == 3 ? -1 : 1) * alphas[0]);
    CHECK(alphas[0] == Approx(1.2 / 7));
    // Rows over 0, 1, 2, 2, 3 and 4 members, and k(x, x) of the five updates, except with an RBF kernel.
    CHECK(learner->counts().requested == (kernel.kind == KernelKind::kRbf ? 12 : 17));
  }
}

// A stream that is hard to bet on: overlapping clouds, with 30 % of the labels flipped.
Examples<double> Stream(std::uint64_t seed) {
  return testing::NoisyClouds(400, 0.1 * static_cast<double>(seed % 4), 0.3, seed);
}

TEST_CASE("KT: the wealth equals the winnings and stays positive") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto data = Stream(seed);
    const Kernel kernel = Kernel::RbfFromGamma(seed % 2 == 0 ? 0.01 : 2);
    const auto learner = testing::MakeFunctions<kt::Method>("kt", {}, data, kernel);
    double won = 1;
    std::vector<double> theta(data.size(), 0.0);  // by example
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      const double t = i + 1, before = learner->method(0).wealth(), y = data.label(i);
      const StepOutcome outcome = learner->Step(i);
      REQUIRE(outcome.prediction == Approx(before / t * theta[i]).margin(1e-12));
      if (outcome.margin_error) {
        won += y * outcome.prediction;
        for (std::size_t j = 0; j < data.size(); ++j) theta[j] += y * PlainKernel(kernel, data, i, data, j);
      }
      const double wealth = learner->method(0).wealth();
      REQUIRE(wealth == Approx(won).epsilon(1e-10));
      // Lower bound of the estimator's potential: W_t >= 1 / (e sqrt(pi t)).
      REQUIRE(wealth >= 1 / (std::exp(1.0) * std::sqrt(std::acos(-1.0) * t)));
    }
    REQUIRE(testing::MembersOf(*learner).size() > 100);
  }
}

TEST_CASE("KT: the regret stays within its bound") {
  // Orabona and Pal 2016, for an initial wealth of 1: ||u|| sqrt(T ln(1 + 24 T^2 ||u||^2)) + 1 for every u
  // and T.
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto data = Stream(seed);
    const Kernel kernel = Kernel::RbfFromGamma(seed % 2 == 0 ? 0.05 : 1);
    const auto learner = testing::MakeFunctions<kt::Method>("kt", {}, data, kernel);
    std::vector<double> losses;
    for (std::uint32_t i = 0; i < data.size(); ++i) losses.push_back(learner->Step(i).loss);
    // u = sum_j y_j k(x_j, .) over the first examples or all of them, scaled to several norms.
    for (const std::size_t terms : {std::size_t{0}, std::size_t{15}, data.size()}) {
      std::vector<double> u(data.size(), 0.0);
      double squared = 0;
      for (std::size_t i = 0; i < data.size(); ++i) {
        for (std::size_t j = 0; j < terms; ++j) u[i] += data.label(j) * PlainKernel(kernel, data, j, data, i);
        if (i < terms) squared += data.label(i) * u[i];
      }
      for (const double norm : {0.5, 2.0, 10.0}) {
        double regret = 0;
        for (std::size_t i = 0; i < data.size(); ++i) {
          const double score = terms == 0 ? 0 : u[i] * norm / std::sqrt(squared);
          regret += losses[i] - std::max(0.0, 1 - data.label(i) * score);
          const double t = static_cast<double>(i + 1), size = terms == 0 ? 0 : norm;
          REQUIRE(regret <= size * std::sqrt(t * std::log(1 + 24 * t * t * size * size)) + 1);
        }
      }
    }
  }
}

TEST_CASE("KT requires k(x, x) <= 1 for the examples that it learns from") {
  // f_3 of (2, 0) is 1/3 (1 + 1/2) 2 2 = 2: an example beyond the margin may have a larger norm.
  const auto data = testing::Binary(2, {1, 0, 1, 0, 2, 0, 0, 1.1}, {1, 1, 1, -1});
  const auto learner = testing::MakeFunctions<kt::Method>("kt", {}, data, Kernel::Linear());
  CHECK_NOTHROW(learner->Step(0));
  CHECK_NOTHROW(learner->Step(1));
  CHECK(learner->Step(2).prediction == Approx(2));
  CHECK_THROWS_WITH(learner->Step(3), Catch::Contains("kt needs k(x, x) <= 1, but an example has 1.21"));
  CHECK_THROWS_AS(learner->Step(3), InvalidArgument);
  // Rows of norm 1 in single precision are accepted.
  Random random(3);
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 50; ++i) {
    const double angle = 6.28 * random.Uniform();
    values.push_back(static_cast<float>(std::cos(angle)));
    values.push_back(static_cast<float>(std::sin(angle)));
    labels.push_back(i % 2 == 0 ? 1 : -1);
  }
  const auto unit = Examples<float>::Dense(2, values, labels, LabelKind::kBinary, 2);
  const auto single = FindLearner("kt").MakeAs<StreamLearner>(
      ParameterValues::Resolve({}, {}), LearnerContext<float>{.train = &unit, .kernel = Kernel::Linear()});
  for (std::uint32_t i = 0; i < 50; ++i) CHECK_NOTHROW(single->Step(i));
}

}  // namespace
}  // namespace okbench::kt
