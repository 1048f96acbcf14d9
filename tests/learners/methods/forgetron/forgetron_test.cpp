// Self-tuned Forgetron: a case by hand, maximality of its shrink factor, and its mistake bound.

#include "learners/methods/forgetron/forgetron.h"

#include "tests/learners/function_learners.h"

namespace okbench::forgetron {
namespace {

using forgetron::LargestShrink;
using testing::Alphas;
using testing::MembersOf;

ParameterValue Count(std::int64_t count) { return count; }

TEST_CASE("Forgetron: shrink factors of two removals by hand") {
  // B = 1 and orthogonal rows: every score is 0, a mistake. Second mistake, with sigma = m = 1:
  //   -phi^2 + 2 phi <= 30/32, phi = 1 - 1/4, Q = 30/32.
  // Third mistake, with sigma = m = 3/4:
  //   -9/16 phi^2 + 3/2 phi <= 45/32 - 30/32, phi = (16 - sqrt(136)) / 12.
  const auto data = testing::Binary(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, -1, 1});
  const auto learner =
      testing::MakeFunctions<forgetron::Method>("forgetron", {{"budget", Count(1)}}, data, Kernel::Linear());
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(learner->Step(i).mistake);
    CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{i});
    const double alphas[] = {1, -0.75, (16 - std::sqrt(136.0)) / 12};
    CHECK(Alphas(*learner).at(0) == Approx(alphas[i]).epsilon(1e-14));
  }
  CHECK(learner->method(0).spent() == Approx(45.0 / 32).epsilon(1e-14));
  // Rows over 0, 1 and 1 members, and k(x_r, x_r) of the removed member twice. Its value with x is cached.
  CHECK(learner->counts().requested == 2 + 2);
}

TEST_CASE("Forgetron: the shrink factor is the largest one allowed") {
  CHECK(LargestShrink(0, 2, 4) == 1);
  CHECK(LargestShrink(0, 2, 0.5) == 0.25);
  CHECK(LargestShrink(3, 2, 1) == Approx(1.0 / 3));
  CHECK(LargestShrink(-1, 2, 15.0 / 16) == 0.75);
  CHECK(LargestShrink(-2, 1, 0.5) == 1);
  CHECK(LargestShrink(0, 0, 0.5) == 1);
  // `a` has both signs and a size from 1e-8 to 1e4. b is tiny in one third of the draws.
  Random random(5);
  std::size_t inside = 0;
  for (int draw = 0; draw < 20000; ++draw) {
    const double size = std::pow(10, 12 * random.Uniform() - 8);
    const double a = (random.Below(2) == 0 ? -1 : 1) * size,
                 b = 2 * random.Uniform() * (draw % 3 == 0 ? 1e-6 : 1);
    const double limit = 15.0 / 32 * (1e-3 + random.Uniform());
    const double phi = LargestShrink(a, b, limit);
    REQUIRE((phi > 0 && phi <= 1));
    const auto left = [&](double p) { return p * (a * p + b); };
    const double rounding = 1e-12 * (1 + std::fabs(a) * phi * phi);
    REQUIRE(left(phi) <= limit + rounding);
    if (phi == 1) continue;
    ++inside;
    REQUIRE(left(phi) >= limit - rounding);
    // No larger factor is allowed.
    for (int step = 1; step <= 50; ++step) {
      const double larger = phi + (1 - phi) * step / 50;
      if (larger - phi > 1e-9) REQUIRE(left(larger) > limit - rounding);
    }
    REQUIRE(left(1) > limit);
  }
  REQUIRE(inside > 5000);
}

TEST_CASE("Forgetron: the accumulated loss stays within 15/32 of the mistakes") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto data = testing::NoisyClouds(400, 0.2, 0.2, seed);
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(1) : Kernel::Polynomial(2, 1, 0.5);
    const auto learner = testing::MakeFunctions<forgetron::Method>(
        "forgetron", {{"budget", Count(static_cast<std::int64_t>(3 * seed))}}, data, kernel);
    double mistakes = 0;
    bool shrunk = false;
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      mistakes += learner->Step(i).mistake ? 1 : 0;
      REQUIRE(learner->method(0).spent() <= 15.0 / 32 * mistakes + 1e-9);
      REQUIRE(learner->support_vectors() <= 3 * seed);
      for (const double alpha : Alphas(*learner)) {
        REQUIRE((std::fabs(alpha) > 0 && std::fabs(alpha) <= 1 + 1e-12));
        shrunk = shrunk || std::fabs(alpha) < 0.9;
      }
    }
    REQUIRE(mistakes > 3.0 * static_cast<double>(seed));
    CHECK(shrunk);
  }
}

// u = sum_j c_j k(x_j, .) over the first `terms` examples, scaled to a norm. Returns the sum of its hinge
// losses.
double HingeOf(const Examples<double>& data, const Kernel& kernel, std::size_t terms, double norm) {
  std::vector<double> u(data.size(), 0.0);
  double squared = 0, loss = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t j = 0; j < terms; ++j)
      u[i] += data.label(j) * testing::PlainKernel(kernel, data, j, data, i);
    if (i < terms) squared += data.label(i) * u[i];
  }
  for (std::size_t i = 0; i < data.size(); ++i)
    loss += std::max(0.0, 1 - data.label(i) * u[i] * norm / std::sqrt(squared));
  return loss;
}

TEST_CASE("Forgetron: mistakes stay within the bound for every competitor that the budget allows") {
  // Members are removed on the noisy streams. The clean streams have competitors whose bound is a few
  // mistakes.
  std::size_t full = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const double noise : {0.0, 0.02, 0.3}) {
      const auto data = testing::NoisyClouds(1200, 1, noise, seed);
      const std::int64_t budget = seed % 2 == 0 ? 84 : 120;
      const Kernel kernel = Kernel::RbfFromGamma(0.1);
      const auto learner =
          testing::MakeFunctions<forgetron::Method>("forgetron", {{"budget", Count(budget)}}, data, kernel);
      double mistakes = 0;
      for (std::uint32_t i = 0; i < data.size(); ++i) mistakes += learner->Step(i).mistake ? 1 : 0;
      full += testing::MembersOf(*learner).size() == static_cast<std::size_t>(budget) ? 1 : 0;
      const auto size = static_cast<double>(budget + 1);
      const double largest = std::sqrt(size / std::log(size)) / 4;
      for (const double share : {0.3, 0.7, 1.0})
        for (const std::size_t terms : {10, 60}) {
          const double norm = share * largest;
          INFO("seed " << seed << ", noise " << noise << ", norm " << norm);
          CHECK(mistakes <= 2 * norm * norm + 4 * HingeOf(data, kernel, terms, norm));
        }
    }
  CHECK(full >= 6);
}

}  // namespace
}  // namespace okbench::forgetron
