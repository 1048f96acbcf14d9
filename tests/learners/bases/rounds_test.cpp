// Binary methods that learn in rounds: cases by hand, incremental norms and scores against direct sums, whole
// runs against plain recursions, the bound of theorem 3, optimality, and invalid input.

#include <catch2/catch.hpp>
#include <functional>
#include <numeric>

#include "datasets/stream.h"
#include "learners/api/registry.h"
#include "learners/core/error.h"
#include "learners/methods/pegasos/pegasos.h"
#include "learners/methods/sampled_cuts/sampled_cuts.h"
#include "learners/methods/sfd/sfd.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Matchers::Contains;

const Kernel kRbf = Kernel::RbfFromGamma(0.2);

template <class T>
LearnerContext<T> Context(const Examples<T>& train, const Kernel& kernel, std::uint64_t seed = 1) {
  return {.train = &train, .test = &train, .kernel = kernel, .batch = 10, .seed = seed};
}

Examples<double> Cloud(std::size_t rows, std::uint64_t seed) {
  return testing::RandomDense<double>(rows, 4, LabelKind::kBinary, 2, seed);
}

// k(x_i, x_j) for all pairs, by the plain formula.
std::vector<double> KernelMatrix(const Examples<double>& data, double gamma) {
  const std::size_t n = data.size();
  std::vector<double> k(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double d = 0;
      for (std::size_t f = 0; f < data.features(); ++f) {
        const double difference = data.row(i).values[f] - data.row(j).values[f];
        d += difference * difference;
      }
      k[i * n + j] = std::exp(-gamma * d);
    }
  return k;
}

double Score(const std::vector<double>& k, const std::vector<double>& a, std::size_t i) {
  double f = 0;
  for (std::size_t j = 0; j < a.size(); ++j) f += a[j] * k[j * a.size() + i];
  return f;
}

double SquaredNorm(const std::vector<double>& k, const std::vector<double>& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * Score(k, a, i);
  return sum;
}

std::vector<double> Coefficients(std::size_t n, const std::function<double(std::uint32_t)>& of) {
  std::vector<double> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = of(static_cast<std::uint32_t>(i));
  return a;
}

Examples<double> Two() { return Examples<double>::Dense(1, {2, -1}, {1, -1}, LabelKind::kBinary, 2); }

double LastReport(const Learner& learner, const std::string& column) {
  const auto names = learner.Columns();
  std::vector<double> values(names.size());
  learner.Report(values);
  return values[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())];
}

TEST_CASE("SFD: three rounds by hand") {
  // k(x,x') = x x', x_0 = 2 (+1), x_1 = -1 (-1), SFD1 on single examples: lambda = 1, box [0, 1].
  // Round on 0: rho = 1, Q = 4: a = 1/4, u(x) = x/2, ||u||^2 = 1/4 <= 1.
  // Round on 1: f(x_1) = -1/2, rho = 1/2, Q = 1: a = 1/2, coefficient -1/2, u(x) = x/2, ||u||^2 = 1/4 <= 1/2;
  // ||f||^2 = 1. Round on 0 again: f(x_0) = 2, rho = 0: nothing.
  const auto data = Two();
  sfd::Sfd<double> learner({}, Context(data, Kernel::Linear()));
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

TEST_CASE("SFD without a lower bound corrects margins that overshoot") {
  // SFD1, k(x,x') = x x'. Round on x = 1 (+1): a = 1, f(x) = x. Then a batch of x = 2 (+1), rho = -1 or
  // bounded 0, and x = 1 (-1), rho = min(1, 2) = 1; Q = [4 -2; -2 1], box [0, 1]. Bounded: a = (1/2, 1), u =
  // 0: a margin of 2 costs nothing, but must not shrink. Unbounded: a = (1/4, 1), u(x) = -x/2, f(x) = x/2.
  const auto data = Examples<double>::Dense(1, {1, 2, 1}, {1, 1, -1}, LabelKind::kBinary, 2);
  sfd::Options bounded, unbounded;
  bounded.gap = unbounded.gap = 1e-12;
  unbounded.bounded_below = false;
  sfd::Sfd<double> a(bounded, Context(data, Kernel::Linear())), b(unbounded, Context(data, Kernel::Linear()));
  const std::uint32_t one[] = {0}, both[] = {1, 2};
  for (auto* learner : {&a, &b}) {
    learner->Round(one);
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
    sfd::Sfd<double> learner(options, Context(data, kRbf));
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
      sfd::Sfd<double> learner(options, Context(data, kRbf));
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

TEST_CASE("Pegasos: four steps by hand, with averaging and projection") {
  // Linear kernel, x_0 = 2 (+1), x_1 = -1 (-1), lambda = 1/2, k = 1, no projection.
  // t = 1 on 0: f = 0 violates: f = eta x_0 = 2 * 2 = 4 (as a weight w: f(x) = w x). t = 2 on 1: y f(x_1) =
  // 4: only f <- f/2, w = 2. t = 3 on 1: y f = 2: w = 4/3. t = 4 on 0: 8/3: w = 1. Average: rho = 1, 3/6,
  // 3/7, 3/8.
  const auto data = Two();
  pegasos::Pegasos<double> learner({.lambda = 0.5, .projection = false, .average = true, .decay = 3},
                                   Context(data, Kernel::Linear()));
  const std::uint32_t zero[] = {0}, one[] = {1};
  learner.Round(zero);
  CHECK(learner.coefficient(0) == 2);
  CHECK(learner.predicting_coefficient(0) == 2);
  learner.Round(one);
  CHECK(learner.coefficient(0) == Approx(1));
  CHECK(learner.predicting_coefficient(0) == Approx(1.5));
  learner.Round(one);
  CHECK(learner.predicting_coefficient(0) == Approx(4.0 / 7 * 1.5 + 3.0 / 7 * 2 / 3));
  learner.Round(zero);
  CHECK(learner.coefficient(0) == Approx(0.5));
  CHECK(learner.support_vectors() == 1);
  // The projection shortens the first step to ||f|| = sqrt(2).
  pegasos::Pegasos<double> projected({.lambda = 0.5}, Context(data, Kernel::Linear()));
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
    pegasos::Pegasos<double> learner(options, Context(data, kRbf));
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

TEST_CASE("SampledCuts with all violators reaches the SVM's objective") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = Cloud(80, 90 + seed);
    const std::size_t n = data.size();
    const auto k = KernelMatrix(data, 0.2);
    auto context = Context(data, kRbf, seed);
    context.batch = n;  // every violator: exact cutting planes
    const double lambda = 0.02;
    sampled_cuts::SampledCuts<double> learner({.lambda = lambda, .epsilon = 1e-4}, context);
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
    sfd::Sfd<double> whole(options, Context(data, kRbf));
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
  auto context = Context(data, kRbf, 3);
  context.batch = 8;
  sampled_cuts::SampledCuts<double> learner({.lambda = 0.01, .epsilon = 1e-3}, context);
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

TEST_CASE("round learners reject data with one class or more than two, with a one-line error") {
  const auto one = Examples<double>::Dense(1, {1, 2}, {1, 1}, LabelKind::kBinary, 2);
  const auto many = testing::RandomDense<double>(9, 2, LabelKind::kMulticlass, 3, 1);
  for (const char* name : {"sfd", "pegasos", "lasvm", "sampled-cuts"}) {
    const LearnerInfo& info = FindLearner(name);
    const auto values = ParameterValues::Resolve(info.parameters, {});
    CHECK_THROWS_WITH(info.Make(values, Context(one, kRbf)), Contains(name) && Contains("both classes"));
    CHECK_THROWS_WITH(info.Make(values, Context(many, kRbf)), Contains(name) && Contains("binary labels"));
    if (std::string(name) != "sfd")
      CHECK_THROWS_WITH(ParameterValues::Resolve(info.parameters, {{"lambda", 0.0}}),
                        Contains("lambda = 0 must be"));
  }
}

TEST_CASE("sizes and contents of batches and folds") {
  const Batches uniform = MakeBatches({Order::kUniform, 2, 0}, 100, 30, 4);
  CHECK(uniform.size() == 7);  // 200/30 to the nearest
  CHECK(BatchesLength({Order::kUniform, 2, 0}, 100, 30) == uniform.rows.size());
  const Batches passes = MakeBatches({Order::kPermutation, 2, 0}, 100, 30, 4);
  CHECK(passes.size() == 8);
  CHECK(passes[3].size() == 10);
  for (const Batches* batches : {&uniform, &passes})
    for (std::size_t b = 0; b < batches->size(); ++b) {
      std::vector<std::uint32_t> rows((*batches)[b].begin(), (*batches)[b].end());
      std::sort(rows.begin(), rows.end());
      CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
      CHECK(rows.back() < 100);
    }
  CHECK_THROWS_WITH(MakeBatches({Order::kUniform, 1, 0}, 10, 11, 0), Contains("mini-batch of 11"));

  std::vector<int> held(23, 0);
  for (std::uint64_t fold = 0; fold < 5; ++fold) {
    const auto out = FoldRows(23, 5, fold, true, 7), in = FoldRows(23, 5, fold, false, 7);
    CHECK(out.size() == (fold < 3 ? 5U : 4U));
    CHECK(in.size() == 23 - out.size());
    for (const auto row : out) {
      ++held[row];
      CHECK(!std::binary_search(in.begin(), in.end(), row));
    }
  }
  CHECK(std::count(held.begin(), held.end(), 1) == 23);
  CHECK_THROWS_WITH(FoldRows(3, 4, 0, true, 1), Contains("cannot be split"));
}

}  // namespace
}  // namespace okbench
