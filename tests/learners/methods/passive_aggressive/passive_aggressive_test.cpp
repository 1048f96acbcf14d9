// Kernel passive-aggressive: cases by hand, and the conditions that define its step.

#include "learners/methods/passive_aggressive/passive_aggressive.h"

#include "tests/learners/function_learners.h"

namespace okbench::passive_aggressive {
namespace {

using testing::Alphas;
using testing::MembersOf;

TEST_CASE("passive-aggressive: five steps by hand") {
  // x = 2, 1, 3 with the linear kernel, C = 0.4. f = 0: loss 1, k = 4, tau = 1/4, f(x) = x / 2. f(1) = 1/2:
  // loss 1/2, k = 1, tau = min(0.4, 1/2), f(x) = 0.9 x. f(3) = 2.7 against y = -1: loss 3.7, tau = min(0.4,
  // 3.7 / 9), f(x) = -0.3 x. x = 0 is the zero of the feature space. f(-1) = 0.3 has loss 0.7: tau = 0.4,
  // f(x) = -0.7 x.
  const auto data = testing::Binary(1, {2, 1, 3, 0, -1, -2}, {1, 1, -1, 1, 1, 1});
  const auto learner = testing::MakeFunctions<passive_aggressive::Method>("passive-aggressive", {{"C", 0.4}},
                                                                          data, Kernel::Linear());
  const double scores[] = {0, 0.5, 2.7, 0, 0.3, 1.4}, losses[] = {1, 0.5, 3.7, 1, 0.7, 0};
  for (std::uint32_t i = 0; i < 6; ++i) {
    const StepOutcome outcome = learner->Step(i);
    CHECK(outcome.prediction == Approx(scores[i]).margin(1e-15));
    CHECK(outcome.loss == Approx(losses[i]).margin(1e-15));
    CHECK(outcome.mistake == (i == 0 || i == 2 || i == 3));
    CHECK(outcome.margin_error == (i != 5));
  }
  CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{0, 1, 2, 4});
  const std::vector<double> alphas = Alphas(*learner), expected = {0.25, 0.4, -0.4, 0.4};
  for (std::size_t i = 0; i < 4; ++i) CHECK(alphas.at(i) == Approx(expected[i]));
}

TEST_CASE("passive-aggressive: several classes, one against the rest, by hand") {
  // Linear kernel. (1, 0) of class 0: all scores 0, loss 1 each; tau = 1 with y = +1, -1, -1. (1, 1) of class
  // 1: scores 1, -1, -1, so only the third function has no loss; losses 2 and 2, k = 2, tau = 1: f_0(x) =
  // -x_2, f_1(x) = x_2, f_2(x) = -x_1. (0, 1) of class 1: scores -1, 1, 0: the third adds -1.
  const auto data = Examples<double>::Dense(2, {1, 0, 1, 1, 0, 1}, {0, 1, 1}, LabelKind::kMulticlass, 3);
  const auto learner =
      testing::MakeFunctions<passive_aggressive::Method>("passive-aggressive", {}, data, Kernel::Linear());
  StepOutcome outcome = learner->Step(0);
  CHECK((outcome.loss == 3 && !outcome.mistake));  // ties go to the lowest class, which is correct
  outcome = learner->Step(1);
  CHECK((outcome.loss == 4 && outcome.mistake));
  outcome = learner->Step(2);
  CHECK((outcome.loss == 1 && !outcome.mistake && outcome.margin_error));
  CHECK(Alphas(*learner, 0) == std::vector<double>{1, -1});
  CHECK(Alphas(*learner, 1) == std::vector<double>{-1, 1});
  CHECK(Alphas(*learner, 2) == std::vector<double>{-1, -1});
  CHECK(MembersOf(*learner, 2) == std::vector<std::uint32_t>{0, 2});
  CHECK(learner->support_vectors() == 3);
  // Rows over 0, 1 and 2 support vectors, and k(x, x) once per step for all functions.
  CHECK(learner->counts().requested == 0 + 1 + 2 + 3);
}

TEST_CASE("passive-aggressive: a step gives margin 1 or a coefficient of C") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto data = testing::NoisyClouds(200, 0.3, 0.1, seed);
    const double c = 0.5;
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(1) : Kernel::Polynomial(2, 1, 0.5);
    const auto learner =
        testing::MakeFunctions<passive_aggressive::Method>("passive-aggressive", {{"C", c}}, data, kernel);
    std::size_t capped = 0, updates = 0;
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      if (!learner->Step(i).margin_error) continue;
      ++updates;
      double f = 0;
      const auto members = MembersOf(*learner);
      const auto alphas = Alphas(*learner);
      REQUIRE(members.back() == i);
      for (std::size_t s = 0; s < members.size(); ++s)
        f += alphas[s] * testing::PlainKernel(kernel, data, members[s], data, i);
      const double margin = data.label(i) * f;
      const bool cap = std::fabs(alphas.back()) == c;
      capped += cap ? 1 : 0;
      CHECK(alphas.back() * data.label(i) > 0);
      CHECK((cap ? margin <= 1 + 1e-12 : margin == Approx(1)));
    }
    CHECK((capped > 0 && capped < updates));
  }
}

}  // namespace
}  // namespace okbench::passive_aggressive
