// SFD: rounds by hand, incremental norms against direct sums, the bound of theorem 3, and cutting planes.

#include "learners/methods/sfd/sfd.h"

#include <numeric>

#include "datasets/rows/stream.h"
#include "tests/catch.h"
#include "tests/learners/round_learners.h"

namespace okbench::sfd {
namespace {

using testing::Cloud;
using testing::Coefficients;
using testing::KernelMatrix;
using testing::kRbf;
using testing::LastReport;
using testing::RoundContext;
using testing::Score;
using testing::SquaredNorm;
using testing::Two;

TEST_CASE("SFD: three rounds by hand") {
  // k(x,x') = x x', x_0 = 2 (+1), x_1 = -1 (-1), SFD1 on single examples: lambda = 1, box [0, 1].
  // Round on 0: rho = 1, Q = 4: a = 1/4, u(x) = x/2, ||u||^2 = 1/4 <= 1.
  // Round on 1: f(x_1) = -1/2, rho = 1/2, Q = 1: a = 1/2, coefficient -1/2, u(x) = x/2, ||u||^2 = 1/4 <= 1/2;
  // ||f||^2 = 1. Round on 0 again: f(x_0) = 2, rho = 0: nothing.
  const auto data = Two();
  sfd::Sfd<double> learner({}, RoundContext(data, Kernel::Linear()));
  const std::uint32_t first[] = {0}, second[] = {1};
  RoundOutcome outcome = learner.Round(first);
  CHECK(outcome.examples == 1);
  CHECK(outcome.mean_loss == 1);
  CHECK(outcome.mistakes == 1);
  CHECK(learner.expansion().coefficient(0, 0) == 0.25);
  CHECK(LastReport(learner, "update_norm") == 0.25);
  CHECK(LastReport(learner, "update_bound") == 1);
  outcome = learner.Round(second);
  CHECK(outcome.mean_loss == 0.5);
  CHECK(outcome.mistakes == 0);
  CHECK(learner.expansion().coefficient(0, 1) == -0.5);
  CHECK(LastReport(learner, "update_bound") == 0.5);
  CHECK(learner.squared_norm() == 1);
  outcome = learner.Round(first);
  CHECK(outcome.margin_errors == 0);
  CHECK(learner.expansion().coefficient(0, 0) == 0.25);
  // Scores: 0 + 1 + 2 evaluations over the support set, and one evaluation for the matrix of each batch.
  CHECK(learner.counts().requested == 0 + 1 + 2 + 3);
  CHECK(learner.Test().mistakes == 0);
  CHECK(learner.counts().evaluation == 2 * 2);
}

TEST_CASE("theorem 2: the update solves the problem constrained to its own norm") {
  // Problem (3.5): min_u mean_i max(0, rho_i - y_i u(x_i)) with ||u||^2 <= ||u_t||^2. In the first round rho
  // = 1. u_t has to be as good as the best of many projected subgradient steps, which know nothing of
  // lambda_t.
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = Cloud(40, seed);
    const auto n = static_cast<Eigen::Index>(data.size());
    const std::vector<double> values = KernelMatrix(data, 0.2);
    const Eigen::MatrixXd k = Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n);
    Eigen::VectorXd y(n);
    for (Eigen::Index i = 0; i < n; ++i) y[i] = data.label(static_cast<std::size_t>(i));
    sfd::Options options;
    options.gap = 1e-10;
    options.schedule = UpdateSchedule::Kind::kOverBatch;
    options.c = seed < 2 ? 1 : 20;
    sfd::Sfd<double> learner(options, RoundContext(data, kRbf));
    std::vector<std::uint32_t> all(data.size());
    std::iota(all.begin(), all.end(), 0U);
    learner.Round(all);
    const auto hinge = [&](const Eigen::VectorXd& u) {
      return (1 - (y.array() * (k * u).array())).max(0.0).mean();
    };
    Eigen::VectorXd u_t(n);
    for (std::uint32_t i = 0; i < all.size(); ++i)
      u_t[static_cast<Eigen::Index>(i)] = learner.expansion().coefficient(0, i);
    const double radius = std::sqrt(u_t.dot(k * u_t));
    CHECK(radius == Approx(std::sqrt(LastReport(learner, "update_norm"))).epsilon(1e-6));
    Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
    double best = 1;
    for (int step = 1; step <= 20000; ++step) {
      const Eigen::ArrayXd margins = y.array() * (k * u).array();
      u += radius / std::sqrt(step) * (margins < 1).select(y.array(), 0.0).matrix() / static_cast<double>(n);
      const double norm = std::sqrt(u.dot(k * u));
      if (norm > radius) u *= radius / norm;
      best = std::min(best, hinge(u));
    }
    CHECK(hinge(u_t) <= best + 1e-9);
    CHECK(hinge(u_t) >= best - 0.01);  // the subgradient steps come close, so the test can fail
  }
}

TEST_CASE("SFD without a lower bound corrects margins that overshoot") {
  // SFD1, k(x,x') = x x'. Round on x = 1 (+1): a = 1, f(x) = x. Then a batch of x = 2 (+1), rho = -1 or
  // bounded 0, and x = 1 (-1), rho = min(1, 2) = 1; Q = [4 -2; -2 1], box [0, 1]. Bounded: a = (1/2, 1), u =
  // 0: a margin of 2 costs nothing, but must not shrink. Unbounded: a = (1/4, 1), u(x) = -x/2, f(x) = x/2.
  const auto data = Examples<double>::Dense(1, {1, 2, 1}, {1, 1, -1}, LabelKind::kBinary, 2);
  sfd::Options bounded, unbounded;
  bounded.gap = unbounded.gap = 1e-12;
  unbounded.bounded_below = false;
  sfd::Sfd<double> a(bounded, RoundContext(data, Kernel::Linear())),
      b(unbounded, RoundContext(data, Kernel::Linear()));
  const std::uint32_t first_batch[] = {0}, both[] = {1, 2};
  for (auto* learner : {&a, &b}) {
    learner->Round(first_batch);
    learner->Round(both);
  }
  CHECK(a.squared_norm() == Approx(1));
  CHECK(b.squared_norm() == Approx(0.25));
  CHECK(b.expansion().coefficient(0, 1) == Approx(0.25));
}

TEST_CASE("SFD: incremental norm is exact, theorem 3 holds, the gap reaches its tolerance") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto data = Cloud(120, seed);
    const auto k = KernelMatrix(data, 0.2);
    sfd::Options options;
    if (seed % 2 == 1) options.bounded_below = false;
    if (seed % 3 == 1) options.schedule = UpdateSchedule::Kind::kOverSet;
    if (seed % 3 == 2) {
      options.schedule = UpdateSchedule::Kind::kPower;
      options.c = 0.02;
      options.exponent = 1.5;
    }
    sfd::Sfd<double> learner(options, RoundContext(data, kRbf));
    const Batches batches = MakeBatches({Order::kUniform, 2, 0}, data.size(), 10, seed);
    for (std::size_t b = 0; b < batches.size(); ++b) {
      learner.Round(batches[b]);
      CHECK(LastReport(learner, "update_norm") <= LastReport(learner, "update_bound") * (1 + 1e-9));
      CHECK(LastReport(learner, "relative_gap") <= options.gap);
    }
    const auto a = Coefficients(data.size(), [&](auto i) { return learner.expansion().coefficient(0, i); });
    CHECK(learner.squared_norm() == Approx(SquaredNorm(k, a)).epsilon(1e-9));
    const TrainingOutcome measured = learner.MeasureTraining();
    double loss = 0;
    for (std::size_t i = 0; i < data.size(); ++i) loss += std::max(0.0, 1 - data.label(i) * Score(k, a, i));
    CHECK(measured.mean_loss == Approx(loss / static_cast<double>(data.size())).epsilon(1e-9));
  }
}

TEST_CASE("SFD's cutting planes come within epsilon of its exact update") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto data = Cloud(60, 30 + seed);
    const auto k = KernelMatrix(data, 0.2);
    std::vector<std::uint32_t> batch(40);
    std::iota(batch.begin(), batch.end(), 0U);
    sfd::Options exact, planes;
    planes.planes = true;
    planes.epsilon = 1e-3;
    const auto objective = [&](const sfd::Options& options) {
      sfd::Sfd<double> learner(options, RoundContext(data, kRbf));
      learner.Round(batch);
      const auto a = Coefficients(data.size(), [&](auto i) { return learner.expansion().coefficient(0, i); });
      double loss = 0;
      for (const auto i : batch) loss += std::max(0.0, 1 - data.label(i) * Score(k, a, i)) / 40;
      return 1.0 / 40 / 2 * SquaredNorm(k, a) + loss;
    };
    const double best = objective(exact);
    CHECK(objective(planes) >= best - 1e-9);
    CHECK(objective(planes) <= best + planes.epsilon * 1.05);
  }
}

TEST_CASE("SFD: lambda schedules by hand") {
  CHECK(UpdateSchedule{UpdateSchedule::Kind::kOverBatch, 10, 1}.At(7, 50, 1000) == 0.2);
  CHECK(UpdateSchedule{UpdateSchedule::Kind::kOverSet, 1, 1}.At(7, 50, 1000) == 0.007);
  CHECK(UpdateSchedule{UpdateSchedule::Kind::kPower, 2, 1.5}.At(4, 50, 1000) == Approx(16).epsilon(1e-14));
  CHECK(UpdateSchedule{UpdateSchedule::Kind::kGeometric, 2, 0.5}.At(4, 50, 1000) ==
        Approx(2 * std::exp(2.0)).epsilon(1e-14));
}

}  // namespace
}  // namespace okbench::sfd
