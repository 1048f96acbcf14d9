// Hindsight: the optimum by hand, and no better hypothesis near it.

#include "learners/methods/hindsight/hindsight.h"

#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::hindsight {
namespace {

using hindsight::Hindsight;

LearnerContext<double> Context(const Examples<double>& train, const Kernel& kernel) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .steps = train.size()};
}

TEST_CASE("hindsight: the optimum by hand, and no hypothesis near it is better") {
  // x = 1 and -2 with labels +1, -1, linear kernel, c = 1: g = w x, objective w^2/2 + (max(0, 1 - w) + max(0,
  // 1 - 2w))/2. For 1/2 <= w <= 1 its slope is w - 1/2, so the minimum is at w = 1/2: 1/8 + 1/4.
  const auto data = Examples<double>::Dense(1, {1, -2}, {1, -1}, LabelKind::kBinary, 2);
  Hindsight<double> learner({.c = 1, .margin = 1, .tolerance = 1e-12}, Context(data, Kernel::Linear()));
  learner.Announce({});
  CHECK(learner.score(0) == Approx(0.5).epsilon(1e-6));
  CHECK(learner.score(1) == Approx(-1).epsilon(1e-6));
  CHECK(learner.squared_norm() == Approx(0.25).epsilon(1e-6));
  CHECK(learner.Step(0).loss == Approx(0.5).epsilon(1e-6));
  CHECK(learner.counts().requested == 3);

  const Kernel kernel = Kernel::RbfFromGamma(0.2);
  Random random(8);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto set = testing::RandomDense<double>(60, 3, LabelKind::kBinary, 2, seed);
    Hindsight<double> best({.c = 0.05, .margin = 1, .tolerance = 1e-9}, Context(set, kernel));
    best.Announce({});
    const auto objective = [&](const std::vector<double>& a) {
      double norm = 0, loss = 0;
      for (std::size_t i = 0; i < 60; ++i) {
        double f = 0;
        for (std::size_t j = 0; j < 60; ++j) f += a[j] * testing::PlainKernel(kernel, set, i, set, j);
        norm += a[i] * f;
        loss += std::max(0.0, 1 - set.label(i) * f) / 60;
      }
      return 0.05 / 2 * norm + loss;
    };
    std::vector<double> g;
    for (std::uint32_t i = 0; i < 60; ++i) g.push_back(best.coefficient(i));
    const double least = objective(g);
    for (int trial = 0; trial < 200; ++trial) {
      auto near = g;
      for (double& a : near) a += 0.01 * random.Normal();
      CHECK(objective(near) >= least * (1 - 1e-8));
    }
  }
}

}  // namespace
}  // namespace okbench::hindsight
