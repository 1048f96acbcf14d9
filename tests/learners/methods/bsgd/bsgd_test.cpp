// BSGD: a case by hand, merging against brute force and a direct norm, Pegasos by direct sums, and
// projections.

#include "learners/methods/bsgd/bsgd.h"

#include <array>
#include <cmath>
#include <map>

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/core/eigen.h"
#include "learners/core/random.h"
#include "learners/methods/bsgd/merge_bounds.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::bsgd {
namespace {

using bsgd::Maintenance;
using bsgd::Merge;
using bsgd::Merger;
using bsgd::Options;
using Bsgd = OneVsRest<double, bsgd::Method>;

Options With(double lambda, Maintenance maintenance, std::size_t budget) {
  Options options;
  options.lambda = lambda;
  options.maintenance = maintenance;
  options.budget = budget;
  return options;
}

LearnerContext<double> ContextOf(const Examples<double>& rows, const Kernel& kernel) {
  return {.train = &rows, .test = nullptr, .kernel = kernel};
}

double Reported(const Learner& learner, std::size_t column) {
  std::vector<double> values(learner.Columns().size());
  learner.Report(values);
  return values[column];
}

Merge MergePair(double p, double q, double kappa) {
  return Merger().Pairs(p, std::array{q}, std::array{kappa})[0];
}

// Kernel values as they occur: far and near points, copies, and points without overlap.
double RandomKappa(Random& random, int kind) {
  const double u = random.Uniform();
  if (kind == 0) return u;
  if (kind == 1) return 1 - u * u * u * 0.01;
  if (kind == 2) return 0.2 * u;
  return u < 0.1 ? 0 : u < 0.3 ? 1 : u;
}

TEST_CASE("BSGD: bounds are not above the losses of merges, and near them") {
  Random random(5);
  const auto& table = bsgd::MergeBounds::Table();
  Merger merger;
  double widest = 0;
  for (int i = 0; i < 40000; ++i) {
    const double m = std::pow(random.Uniform(), 3), kappa = RandomKappa(random, i % 4);
    if (m <= 0 || m >= 1 || kappa <= 0) continue;
    const double loss = merger.Pairs(m, std::array{1 - m}, std::array{kappa})[0].loss;
    const double bound = table.Loss(m, kappa);
    REQUIRE(bound <= loss);
    if (kappa > 0.2) widest = std::max(widest, loss - bound);
  }
  CHECK(widest < 1e-3);
}

TEST_CASE("BSGD: the merge chosen by bounds is the one chosen among all, bit by bit") {
  Merger chosen, all;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const std::size_t pairs = 64 + random.Below(200);
    const double sign = seed % 2 == 0 ? 1 : -1, p = sign * std::pow(random.Uniform(), 2) + sign * 1e-3;
    std::vector<double> q, kappa;
    for (std::size_t i = 0; i < pairs; ++i) {
      // Repeated pairs are ties.
      const bool repeats = i > 0 && random.Below(5) == 0;
      q.push_back(repeats ? q.back() : sign * (random.Uniform() + 1e-3));
      kappa.push_back(repeats ? kappa.back() : RandomKappa(random, static_cast<int>(seed % 4)));
    }
    const auto [place, merge] = chosen.Least(p, q, kappa);
    const auto merges = all.Pairs(p, q, kappa);
    const std::size_t best = Merger::Best(merges);
    REQUIRE(place == best);
    REQUIRE(
        (merge.h == merges[best].h && merge.alpha == merges[best].alpha && merge.loss == merges[best].loss));
  }
}

TEST_CASE("BSGD: four steps by hand, with removal and projection", "[bsgd]") {
  // k(x, x') = x x', lambda = 1/2, so that 1 / (lambda t) = 2 / t.
  //   t = 1, x = 1, +1: f = 0, added: f = 2 x.
  //   t = 2, x = 1/4, +1: f = 1/2, added: f = (1 + 1/4) x.
  //   t = 3, x = 2, +1: f = 5/2: shrunk, f = 2/3 (5/4) x.
  //   t = 4, x = -1, +1: f = -5/6: added, f = 1/2 (5/4 - 1) x.
  const auto rows = Examples<double>::Dense(1, {1, 0.25, 2, -1, 1}, {1, 1, 1, 1, 1}, LabelKind::kBinary, 2);
  const auto predictions = [&](Maintenance maintenance, std::size_t budget, std::uint64_t requested) {
    Bsgd learner(With(0.5, maintenance, budget), ContextOf(rows, Kernel::Linear()));
    std::vector<double> f;
    for (std::uint32_t i = 0; i < rows.size(); ++i) f.push_back(learner.Step(i).prediction);
    CHECK(learner.counts().requested == requested);
    return f;
  };
  const auto close = [](const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]));
  };
  close(predictions(Maintenance::kNone, 1, 0 + 1 + 2 + 2 + 3), {0, 0.5, 2.5, -5.0 / 6, 0.125});
  // Budget 2: at t = 4 there would be three members, so the oldest is removed: f = 1/2 (1/4 - 1) x.
  close(predictions(Maintenance::kRemoval, 2, 0 + 1 + 2 + 2 + 2), {0, 0.5, 2.5, -5.0 / 6, -0.375});
  // Every example is in the span of x_0, so projections lose nothing, and x_0 stays the only member. k(x, x)
  // is requested at t = 1, 2 and 5. At t = 4 its coefficient 5/4 is larger than that of x, so x itself is
  // projected.
  close(predictions(Maintenance::kProjection, 1, 0 + 1 + 1 + 1 + 1 + 3), {0, 0.5, 2.5, -5.0 / 6, 0.125});
}

TEST_CASE("BSGD: merging two terms by hand and against a grid search", "[bsgd]") {
  // Equal coefficients: h = 1/2, a_z = 2 kappa^(1/4).
  const Merge even = MergePair(1, 1, 0.5);
  CHECK(even.h == Approx(0.5).margin(1e-4));
  CHECK(even.alpha == Approx(2 * std::pow(0.5, 0.25)));
  CHECK(even.loss == Approx(3 - 4 * std::sqrt(0.5)).margin(1e-8));
  // Two equal vectors, and two orthogonal ones.
  CHECK(MergePair(1, 2, 1).alpha == Approx(3));
  CHECK(MergePair(1, 2, 1).loss == Approx(0).margin(1e-12));
  CHECK(MergePair(1, 2, 0).h == 0);
  CHECK(MergePair(1, 2, 0).loss == 1);
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    const double p = sign * (0.1 + random.Uniform()), q = sign * (0.1 + 3 * random.Uniform());
    const double kappa = 0.14 + 0.86 * random.Uniform();  // above e^-2: a single maximum
    const Merge merge = MergePair(p, q, kappa);
    double best = 0, at = 0;
    for (int step = 0; step <= 20000; ++step) {
      const double h = step / 20000.0;
      const double alpha = p * std::pow(kappa, (1 - h) * (1 - h)) + q * std::pow(kappa, h * h);
      if (std::fabs(alpha) > std::fabs(best)) {
        best = alpha;
        at = h;
      }
    }
    REQUIRE(merge.alpha == Approx(best).epsilon(1e-6));
    if (kappa < 0.9) REQUIRE(merge.h == Approx(at).margin(2e-3));
  }
}

TEST_CASE("BSGD: the loss of a merge is the norm of the change of f", "[bsgd]") {
  Random random(2);
  const Kernel kernel = Kernel::RbfFromGamma(0.4);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> x(3), q(3), z(3);
    for (std::size_t j = 0; j < 3; ++j) {
      x[j] = random.Normal();
      q[j] = random.Normal();
    }
    const double a = 0.1 + random.Uniform(), b = 0.1 + random.Uniform();
    const Merge merge = MergePair(a, b, testing::PlainKernel(kernel, x, q));
    for (std::size_t j = 0; j < 3; ++j) z[j] = merge.h * x[j] + (1 - merge.h) * q[j];
    const auto k = [&](const std::vector<double>& u, const std::vector<double>& v) {
      return testing::PlainKernel(kernel, u, v);
    };
    const double c = merge.alpha;
    const double norm =
        a * a + b * b + c * c + 2 * a * b * k(x, q) - 2 * a * c * k(x, z) - 2 * b * c * k(q, z);
    REQUIRE(merge.loss == Approx(norm).margin(1e-10));
  }
}

TEST_CASE("BSGD without a budget equals Pegasos", "[bsgd]") {
  // f_t = 1 / (lambda t) sum of y_s k(x_s, .) over the margin errors s <= t, directly from the definition.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto rows = testing::RandomDense<double>(120, 4, LabelKind::kBinary, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.2);
    const double lambda = 0.01;
    Bsgd learner(With(lambda, Maintenance::kNone, 1), ContextOf(rows, kernel));
    std::vector<std::uint32_t> errors;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      double f = 0;
      for (const std::uint32_t s : errors)
        f += rows.label(s) * testing::PlainKernel(kernel, rows, s, rows, i) / (lambda * i);
      REQUIRE(learner.Step(i).prediction == Approx(f).epsilon(1e-10).margin(1e-10));
      if (rows.label(i) * f < 1) errors.push_back(i);
    }
    CHECK(learner.support_vectors() == errors.size());
    CHECK(Reported(learner, 0) == static_cast<double>(errors.size()));
  }
}

// Row and coefficient of each member.
struct Terms {
  std::vector<std::vector<double>> rows;
  std::vector<double> alpha;
};

Terms TermsOf(const Bsgd& learner) {
  Terms terms;
  for (const std::uint32_t slot : learner.set().members(0)) {
    terms.rows.push_back(testing::DenseRow(learner.set().blocks().Rows(std::vector<std::size_t>{slot}), 0));
    terms.alpha.push_back(learner.set().alpha(0, slot));
  }
  return terms;
}

double Product(const Kernel& kernel, const Terms& a, const Terms& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    for (std::size_t j = 0; j < b.rows.size(); ++j)
      sum += a.alpha[i] * b.alpha[j] * testing::PlainKernel(kernel, a.rows[i], b.rows[j]);
  return sum;
}

TEST_CASE("BSGD: projections minimise the change of f, and lose less than removals", "[bsgd]") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto rows = testing::RandomDense<double>(150, 3, LabelKind::kBinary, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.2);
    const double lambda = 0.02;
    Bsgd learner(With(lambda, Maintenance::kProjection, 9), ContextOf(rows, kernel));
    int projected = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      Terms whole = TermsOf(learner);
      for (double& alpha : whole.alpha) alpha *= static_cast<double>(i) / (i + 1);
      const double score = learner.Step(i).prediction, y = rows.label(i);
      if (y * score >= 1) continue;
      whole.rows.push_back(testing::DenseRow(rows, i));
      whole.alpha.push_back(y / (lambda * (i + 1)));
      const Terms after = TermsOf(learner);
      REQUIRE(after.rows.size() <= 9);
      if (after.rows.size() == whole.rows.size()) continue;
      ++projected;
      // The lost part is orthogonal to every remaining member.
      for (const std::vector<double>& row : after.rows) {
        const Terms member{{row}, {1}};
        REQUIRE(Product(kernel, whole, member) ==
                Approx(Product(kernel, after, member)).epsilon(1e-6).margin(1e-6));
      }
    }
    CHECK(projected > 10);
    CHECK(Reported(learner, 2) == projected);
  }
}

TEST_CASE("BSGD: merging keeps the budget, and predictions equal sums over the terms", "[bsgd]") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto rows = testing::RandomDense<double>(150, 3, LabelKind::kBinary, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.2);
    Bsgd learner(With(0.02, Maintenance::kMerging, 8), ContextOf(rows, kernel));
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const Terms terms = TermsOf(learner);
      double f = 0;
      for (std::size_t s = 0; s < terms.rows.size(); ++s)
        f += terms.alpha[s] * testing::PlainKernel(kernel, terms.rows[s], testing::DenseRow(rows, i));
      REQUIRE(learner.Step(i).prediction == Approx(f).margin(1e-9));
      REQUIRE(learner.support_vectors() <= 8);
    }
    CHECK(Reported(learner, 3) > 10);
  }
}

TEST_CASE("BSGD: merging equal points adds their coefficients, M - 1 merges at a time", "[bsgd]") {
  // Copies of one point, all with label 1 and small f: every step is a margin error with c = 1. With B = 4,
  // the fifth and every further addition that exceeds the budget merges M points, and f does not change.
  const auto rows = Examples<double>::Dense(1, std::vector<double>(20, 0.5), std::vector<std::int32_t>(20, 1),
                                            LabelKind::kBinary, 2);
  for (const std::size_t points : {2, 3, 5}) {
    Options options = With(1e-3, Maintenance::kMerging, 4);
    options.merge_points = points;
    options.lambda = 1;
    Bsgd learner(options, ContextOf(rows, Kernel::RbfFromGamma(1)));
    std::size_t errors = 0, size = 0, merges = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const double f = learner.Step(i).prediction;
      REQUIRE(f == Approx(i == 0 ? 0 : static_cast<double>(errors) / i));
      if (f >= 1) continue;
      ++errors;
      if (++size <= 4) continue;
      size -= points - 1;
      merges += points - 1;
    }
    CHECK(learner.support_vectors() == size);
    CHECK(Reported(learner, 3) == merges);
  }
}

TEST_CASE("BSGD: merging requires a Gaussian kernel", "[bsgd]") {
  const auto rows = testing::RandomDense<double>(10, 3, LabelKind::kBinary, 2, 1);
  const LearnerInfo& info = FindLearner("bsgd");
  const auto values = ParameterValues::Resolve(info.parameters, {{"maintenance", std::string("merging")}});
  CHECK_THROWS_AS(info.Make<double>(values, ContextOf(rows, Kernel::Linear())), InvalidArgument);
}

TEST_CASE("BSGD: projections in single precision stay finite on repeated rows", "[bsgd]") {
  const auto rows = testing::RandomDense<float>(60, 2, LabelKind::kBinary, 2, 6);
  OneVsRest<float, bsgd::Method> learner(
      With(0.001, Maintenance::kProjection, 20),
      {.train = &rows, .test = nullptr, .kernel = Kernel::RbfFromGamma(0.3)});
  for (int pass = 0; pass < 20; ++pass)
    for (std::uint32_t i = 0; i < rows.size(); ++i) REQUIRE(std::isfinite(learner.Step(i).loss));
}

}  // namespace
}  // namespace okbench::bsgd
