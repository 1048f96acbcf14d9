// Kernel online gradient descent (OGD) on the hinge loss: a case by hand, and its regret bound.

#include "learners/methods/ogd/ogd.h"

#include "tests/learners/function_learners.h"

namespace okbench::ogd {
namespace {

using testing::Alphas;
using testing::MembersOf;

TEST_CASE("OGD: four steps on the hinge loss by hand") {
  // x = 2, 1, 3 with the linear kernel, eta = 1/2: f(x) = x after the first. f(1) = 1 is on the margin: loss
  // 0. f(3) = 3 against y = -1: f(x) = x - 3 x / 2 = -x / 2. f(-1) = 1/2: f(x) = -x.
  const auto data = testing::Binary(1, {2, 1, 3, -1, 1}, {1, 1, -1, 1, -1});
  const auto learner = testing::MakeFunctions<ogd::Method>("ogd", {{"eta", 0.5}}, data, Kernel::Linear());
  const double scores[] = {0, 1, 3, 0.5, -1}, losses[] = {1, 0, 4, 0.5, 0};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const StepOutcome outcome = learner->Step(i);
    CHECK(outcome.prediction == scores[i]);
    CHECK(outcome.loss == losses[i]);
    CHECK(outcome.mistake == (i == 0 || i == 2));
  }
  CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{0, 2, 3});
  CHECK(Alphas(*learner) == std::vector<double>{0.5, -0.5, 0.5});
  CHECK(learner->counts().requested == 0 + 1 + 1 + 2 + 3);
}

TEST_CASE("OGD: the regret is within its bound") {
  // Zinkevich 2003, for a fixed step and gradients of norm <= 1:
  //   sum_t l_t(f_t) - l_t(u) <= ||u||^2 / (2 eta) + eta / 2 (number of steps with a gradient)
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto data = testing::NoisyClouds(300, 0.2 * static_cast<double>(seed % 3), 0.1, seed);
    const Kernel kernel = Kernel::RbfFromGamma(1);
    const double eta = seed % 2 == 0 ? 0.5 : 0.1;
    const auto learner = testing::MakeFunctions<ogd::Method>("ogd", {{"eta", eta}}, data, kernel);
    double loss = 0;
    for (std::uint32_t i = 0; i < data.size(); ++i) loss += learner->Step(i).loss;
    const double updates = static_cast<double>(MembersOf(*learner).size());
    for (const double size : {0.0, 0.02, 0.1, 0.5}) {
      // u = size * sum_j y_j k(x_j, .) over the first examples.
      double squared = 0, competitor = 0;
      for (std::size_t i = 0; i < data.size(); ++i) {
        double u = 0;
        for (std::size_t j = 0; j < 20; ++j)
          u += size * data.label(j) * testing::PlainKernel(kernel, data, j, data, i);
        if (i < 20) squared += size * data.label(i) * u;
        competitor += std::max(0.0, 1 - data.label(i) * u);
      }
      CHECK(loss - competitor <= squared / (2 * eta) + eta / 2 * updates + 1e-9);
    }
  }
}

}  // namespace
}  // namespace okbench::ogd
