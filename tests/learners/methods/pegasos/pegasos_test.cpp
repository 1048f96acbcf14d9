// Pegasos: steps by hand, and whole runs against the plain recursion.

#include "learners/methods/pegasos/pegasos.h"

#include "datasets/rows/stream.h"
#include "tests/catch.h"
#include "tests/learners/round_learners.h"

namespace okbench::pegasos {
namespace {

using testing::Cloud;
using testing::KernelMatrix;
using testing::kRbf;
using testing::RoundContext;
using testing::Score;
using testing::SquaredNorm;
using testing::Two;

TEST_CASE("Pegasos: four steps by hand, with averaging and projection") {
  // Linear kernel, x_0 = 2 (+1), x_1 = -1 (-1), lambda = 1/2, k = 1, no projection.
  // t = 1 on 0: f = 0 violates: f = eta x_0 = 2 * 2 = 4 (as a weight w: f(x) = w x). t = 2 on 1: y f(x_1) =
  // 4: only f <- f/2, w = 2. t = 3 on 1: y f = 2: w = 4/3. t = 4 on 0: 8/3: w = 1. Average: rho = 1, 3/6,
  // 3/7, 3/8.
  const auto data = Two();
  pegasos::Pegasos<double> learner({.lambda = 0.5, .projection = false, .average = true, .decay = 3},
                                   RoundContext(data, Kernel::Linear()));
  const std::uint32_t zero[] = {0}, second_example[] = {1};
  learner.Round(zero);
  CHECK(learner.coefficient(0) == 2);
  CHECK(learner.predicting_coefficient(0) == 2);
  learner.Round(second_example);
  CHECK(learner.coefficient(0) == Approx(1));
  CHECK(learner.predicting_coefficient(0) == Approx(1.5));
  learner.Round(second_example);
  CHECK(learner.predicting_coefficient(0) == Approx(4.0 / 7 * 1.5 + 3.0 / 7 * 2 / 3));
  learner.Round(zero);
  CHECK(learner.coefficient(0) == Approx(0.5));
  CHECK(learner.support_vectors() == 1);
  // The projection shortens the first step to ||f|| = sqrt(2).
  pegasos::Pegasos<double> projected({.lambda = 0.5}, RoundContext(data, Kernel::Linear()));
  projected.Round(zero);
  CHECK(projected.squared_norm() == Approx(2));
  CHECK(projected.coefficient(0) == Approx(std::sqrt(2) / 2));
}

TEST_CASE("Pegasos agrees with the plain recursion") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto data = Cloud(80, 50 + seed);
    const std::size_t n = data.size();
    const auto k = KernelMatrix(data, 0.2);
    const pegasos::Options options{
        .lambda = seed % 3 == 0 ? 1e-8 : 0.02, .projection = seed % 2 == 0, .average = true, .decay = 3};
    pegasos::Pegasos<double> learner(options, RoundContext(data, kRbf));
    const Batches batches = MakeBatches({Order::kPermutation, 5, 0}, n, 7, seed);
    std::vector<double> f(n, 0.0), average(n, 0.0);
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const double t = static_cast<double>(b + 1);
      const double eta = 1 / (options.lambda * t) / static_cast<double>(batches[b].size());
      std::vector<double> next = f;
      for (double& v : next) v *= 1 - 1 / t;
      for (const auto i : batches[b])
        if (data.label(i) * Score(k, f, i) < 1) next[i] += eta * data.label(i);
      if (options.projection) {
        const double norm = std::sqrt(SquaredNorm(k, next));
        for (double& v : next) v *= std::min(1.0, 1 / (std::sqrt(options.lambda) * norm));
      }
      f = next;
      const double rho = b == 0 ? 1 : 3 / (t + 4);
      for (std::size_t i = 0; i < n; ++i) average[i] = (1 - rho) * average[i] + rho * f[i];
      learner.Round(batches[b]);
      if (options.projection) CHECK(learner.squared_norm() == Approx(SquaredNorm(k, f)).epsilon(1e-8));
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      CHECK(learner.coefficient(i) == Approx(f[i]).epsilon(1e-8).margin(1e-9));
      CHECK(learner.predicting_coefficient(i) == Approx(average[i]).epsilon(1e-8).margin(1e-9));
    }
    std::size_t mistakes = 0;
    for (std::size_t i = 0; i < n; ++i) mistakes += data.label(i) * Score(k, average, i) > 0 ? 0 : 1;
    CHECK(learner.Test().mistakes == mistakes);
  }
}

}  // namespace
}  // namespace okbench::pegasos
