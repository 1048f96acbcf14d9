// Randomised budget perceptron (RBP): a case by hand, its random draws, and equality with the perceptron
// within the budget.

#include "learners/methods/rbp/rbp.h"

#include <set>

#include "tests/learners/function_learners.h"

namespace okbench::rbp {
namespace {

using testing::Alphas;
using testing::MembersOf;

ParameterValue Count(std::int64_t count) { return count; }

TEST_CASE("RBP: four steps by hand with a budget of one") {
  // B = 1, so the draw has one outcome. x = 2, 1, 1, -3 with the linear kernel: f(x) = 2 x. f(1) = 2 is
  // correct. f(1) = 2 against y = -1: 2 x is removed, f(x) = -x. f(-3) = 3 against y = -1: -x is removed,
  // f(x) = 3 x.
  const auto data = testing::Binary(1, {2, 1, 1, -3}, {1, 1, -1, -1});
  const auto learner =
      testing::MakeFunctions<rbp::Method>("rbp", {{"budget", Count(1)}}, data, Kernel::Linear());
  const double scores[] = {0, 2, 2, 3}, losses[] = {0, 0, 2, 3};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const StepOutcome outcome = learner->Step(i);
    CHECK(outcome.prediction == scores[i]);
    CHECK(outcome.loss == losses[i]);
    CHECK(outcome.mistake == (i != 1));
  }
  CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{3});
  CHECK(Alphas(*learner) == std::vector<double>{-1});
  CHECK(learner->counts().requested == 3);
}

// All rows are the zero of the feature space: f = 0, and every step is a mistake.
Examples<double> Zeros(std::size_t rows, LabelKind kind, int classes) {
  std::vector<std::int32_t> labels(rows, 1);
  return Examples<double>::Dense(1, std::vector<double>(rows, 0.0), std::move(labels), kind, classes);
}

TEST_CASE("RBP removes every member with equal probability") {
  constexpr std::size_t kBudget = 8, kRows = 8000;
  const auto data = Zeros(kRows, LabelKind::kBinary, 2);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto learner = testing::MakeFunctions<rbp::Method>("rbp", {{"budget", Count(kBudget)}}, data,
                                                             Kernel::Linear(), seed);
    std::vector<double> left(kBudget, 0.0);
    std::vector<std::uint32_t> before;
    for (std::uint32_t i = 0; i < kRows; ++i) {
      learner->Step(i);
      const auto after = MembersOf(*learner);
      REQUIRE(after.back() == i);
      if (before.size() == kBudget) {
        REQUIRE(after.size() == kBudget);
        std::size_t place = 0;
        while (before[place] == after[place]) ++place;
        REQUIRE(std::equal(before.begin() + static_cast<std::ptrdiff_t>(place) + 1, before.end(),
                           after.begin() + static_cast<std::ptrdiff_t>(place)));
        ++left[place];
      } else {
        REQUIRE(after.size() == before.size() + 1);
      }
      before = after;
    }
    // Chi-squared with 7 degrees of freedom exceeds 29.9 with probability 1e-4.
    const double expected = static_cast<double>(kRows - kBudget) / kBudget;
    double chi = 0;
    for (const double count : left) chi += (count - expected) * (count - expected) / expected;
    CHECK(chi < 29.9);
  }
}

TEST_CASE("RBP: different functions and seeds draw differently, equal ones draw equally") {
  constexpr std::size_t kRows = 200;
  const auto data = Zeros(kRows, LabelKind::kMulticlass, 3);
  std::set<std::vector<std::uint32_t>> different;
  for (const std::uint64_t seed : {1, 2, 1}) {
    const auto learner =
        testing::MakeFunctions<rbp::Method>("rbp", {{"budget", Count(20)}}, data, Kernel::Linear(), seed);
    for (std::uint32_t i = 0; i < kRows; ++i) learner->Step(i);
    for (std::size_t r = 0; r < 3; ++r) {
      CHECK(MembersOf(*learner, r).size() == 20);
      different.insert(MembersOf(*learner, r));
    }
  }
  CHECK(different.size() == 6);
}

TEST_CASE("RBP within its budget equals the perceptron") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto data = testing::NoisyClouds(300, 0.3, 0.1, seed);
    const Kernel kernel = Kernel::RbfFromGamma(1);
    const auto learner = testing::MakeFunctions<rbp::Method>("rbp", {}, data, kernel);
    const LearnerInfo& info = FindLearner("perceptron");
    const auto perceptron =
        info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, {}),
                                   LearnerContext<double>{.train = &data, .kernel = kernel});
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      const StepOutcome outcome = learner->Step(i), other = perceptron->Step(i);
      CHECK(outcome.mistake == other.mistake);
      CHECK(outcome.loss == Approx(other.loss).margin(1e-12));
    }
    CHECK(learner->support_vectors() == perceptron->support_vectors());
  }
}

}  // namespace
}  // namespace okbench::rbp
