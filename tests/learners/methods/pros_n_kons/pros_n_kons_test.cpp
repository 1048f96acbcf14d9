// PROS-N-KONS: three steps by hand, and invariants of the sampling.

#include "learners/methods/pros_n_kons/pros_n_kons.h"

#include <catch2/catch.hpp>

#include "tests/learners/filters.h"

namespace okbench {
namespace {

using Learner = OneVsRest<double, pros_n_kons::Method>;
using pros_n_kons::Options;
using testing::FilterContext;

TEST_CASE("PROS-N-KONS: three steps by hand") {
  // k = x x', x = y = 1, alpha = gamma = C = 1; beta is so large that every example is sampled. The first
  // joins: A = 1, w = 0. The second is predicted as 0: g = -2, A = 1 + 1/16 4 = 5/4, w = 8/5. It adds nothing
  // to the span, so it does not join. The third score 8/5 is clipped to 1: no loss, and w is projected to 1.
  const auto rows = testing::Pairs({1, 1, 1}, {1, 1, 1});
  Learner learner(Options{.beta = 100}, FilterContext(rows, Kernel::Linear()));
  CHECK(learner.Step(0).prediction == 0);
  CHECK(learner.set().alpha(0, 0) == 0);
  CHECK(learner.Step(1).prediction == 0);
  CHECK(learner.set().alpha(0, 0) == Approx(1.6));
  CHECK(learner.Predict(2).prediction == 1);
  CHECK(learner.Step(2).prediction == 1);
  CHECK(learner.set().alpha(0, 0) == Approx(1));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.counts().requested == 1 + 2 + 2);
}

TEST_CASE("PROS-N-KONS: smaller gamma and larger beta sample more, and predictions are bounded") {
  const auto rows = testing::RandomDense<double>(400, 3, LabelKind::kReal, 2, 3);
  const auto sampled = [&](double gamma, double beta) {
    Learner learner(Options{.ridge = gamma, .beta = beta, .bound = 0.5},
                    FilterContext(rows, Kernel::RbfFromGamma(0.5)));
    for (std::uint32_t i = 0; i < rows.size(); ++i) REQUIRE(std::fabs(learner.Step(i).prediction) <= 0.5);
    return learner.support_vectors();
  };
  const std::size_t usual = sampled(1, 1);
  CHECK(sampled(30, 1) < usual);
  CHECK(sampled(1, 4) > usual);
  CHECK(sampled(1, 4) < rows.size());
}

TEST_CASE("PROS-N-KONS learns a smooth target") {
  std::vector<double> x, y;
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    x.push_back(4 * random.Uniform() - 2);
    y.push_back(0.8 * std::sin(2 * x.back()));
  }
  const auto rows = testing::Pairs(x, y);
  Learner learner(Options{.ridge = 0.1}, FilterContext(rows, Kernel::RbfFromGamma(1)));
  double squared = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const double error = learner.Step(i).prediction - y[i];
    if (i >= 1500) squared += error * error / 500;
  }
  CHECK(squared < 1e-3);
}

}  // namespace
}  // namespace okbench
