// SampledCuts: the optimum against SFD's and the primal objective, and the draws of violators.

#include "learners/methods/sampled_cuts/sampled_cuts.h"

#include <numeric>

#include "learners/methods/sfd/sfd.h"
#include "tests/catch.h"
#include "tests/learners/round_learners.h"

namespace okbench::sampled_cuts {
namespace {

using testing::Cloud;
using testing::Coefficients;
using testing::KernelMatrix;
using testing::kRbf;
using testing::LastReport;
using testing::RoundContext;
using testing::Score;
using testing::SquaredNorm;

TEST_CASE("SampledCuts with all violators reaches the SVM's objective") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = Cloud(80, 90 + seed);
    const std::size_t n = data.size();
    const auto k = KernelMatrix(data, 0.2);
    auto context = RoundContext(data, kRbf, seed);
    context.batch = n;  // every violator: exact cutting planes
    const double lambda = 0.02;
    sampled_cuts::SampledCuts<double> learner({.lambda = lambda, .tolerance = 1e-4}, context);
    RoundOutcome outcome;
    for (int round = 0; round < 5000 && !outcome.finished; ++round) outcome = learner.Round({});
    REQUIRE(outcome.converged);
    const auto a = Coefficients(n, [&](auto i) { return learner.coefficient(i); });
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) loss += std::max(0.0, 1 - data.label(i) * Score(k, a, i));
    const double primal = lambda / 2 * SquaredNorm(k, a) + loss / static_cast<double>(n);
    CHECK(learner.primal() == Approx(primal).epsilon(1e-9));
    // SFD's exact update from f = 0, with the whole set as batch and the same lambda, solves the same
    // problem.
    sfd::Options options;
    options.schedule = UpdateSchedule::Kind::kPower;
    options.c = lambda;
    options.exponent = 0;
    sfd::Sfd<double> whole(options, RoundContext(data, kRbf));
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    whole.Round(all);
    const double best = lambda / 2 * whole.squared_norm() + whole.MeasureTraining().mean_loss;
    CHECK(primal >= best - 1e-7);
    CHECK(primal <= best + 1.5e-4);
  }
}

TEST_CASE("SampledCuts draws only violators, and drops planes with zero weight") {
  const auto data = Cloud(200, 3);
  auto context = RoundContext(data, kRbf, 3);
  context.batch = 8;
  sampled_cuts::SampledCuts<double> learner({.lambda = 0.01, .tolerance = 1e-3}, context);
  RoundOutcome outcome;
  double most_planes = 0;
  for (int round = 0; round < 400 && !outcome.finished; ++round) {
    outcome = learner.Round({});
    CHECK(outcome.whole_set);
    CHECK(outcome.examples <= std::min<std::uint64_t>(8, outcome.margin_errors));
    most_planes = std::max(most_planes, LastReport(learner, "planes"));
  }
  CHECK(most_planes < 400);
}

}  // namespace
}  // namespace okbench::sampled_cuts
