// Structural SFD: cases by hand, its dual against feasible points and the plain objective, binary SFD as a
// special case, and the invariants of every round.

#include "learners/methods/structural_sfd/structural_sfd.h"

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/methods/sfd/sfd.h"
#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench::structural_sfd {
namespace {

using structural_sfd::Options;
using structural_sfd::StructuralSfd;

const Kernel kRbf = Kernel::RbfFromGamma(0.2);

LearnerContext<double> Context(const Examples<double>& train, const Kernel& kernel,
                               const LabelTree* tree = nullptr) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .tree = tree, .batch = 0};
}

double Reported(const Learner& learner, const std::string& column) {
  const auto names = learner.Columns();
  std::vector<double> values(names.size());
  learner.Report(values);
  return values[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())];
}

TEST_CASE("structural SFD: two rounds by hand") {
  // k(x,x') = x x', one example x = 1 of class 0 of three, SFD1: lambda = 1, cap 1, rho = (0, 1, 1). By
  // symmetry a = (1 - 2b, b, b), tau = (2b, -b, -b), the dual 2b - 3b^2: b = 1/3, ||u||^2 = 6/9, u(0) - u(1)
  // = 1. Then x = 2 of class 1: f = (4/3, -2/3, -2/3), rho_0 = min(1, 1 + 2) = 1, rho_2 = 1: A = 4, tau =
  // (-b, 2b, -b), 2b - 12 b^2: b = 1/12; ||u||^2 = 4 * 6/144, ||f||^2 = 2/3 + 2 tau . f + 1/6 = 2/3 - 1/3 +
  // 1/6.
  const auto data = Examples<double>::Dense(1, {1, 2}, {0, 1}, LabelKind::kMulticlass, 3);
  Options options;
  options.gap = 1e-12;
  StructuralSfd<double> learner(options, Context(data, Kernel::Linear()));
  const std::uint32_t first[] = {0}, second[] = {1};
  RoundOutcome outcome = learner.Round(first);
  CHECK((outcome.mean_loss == 1 && outcome.mistakes == 0 && outcome.margin_errors == 1));
  CHECK(learner.expansion().coefficient(0, 0) == Approx(2.0 / 3));
  CHECK(learner.expansion().coefficient(2, 0) == Approx(-1.0 / 3));
  CHECK(Reported(learner, "update_norm") == Approx(2.0 / 3));
  CHECK(Reported(learner, "update_bound") == 1);
  outcome = learner.Round(second);
  CHECK(outcome.mean_loss == Approx(3));
  CHECK(outcome.mistakes == 1);
  CHECK(learner.expansion().coefficient(1, 1) == Approx(1.0 / 6));
  CHECK(learner.squared_norm() == Approx(0.5));
  CHECK(learner.counts().requested == 0 + 1 + 1 + 1);
  CHECK(learner.oracle_calls() == 2);
}

// A random instance of the dual problem.
struct Problem {
  std::size_t n, outputs;
  std::vector<double> k;
  RowMatrix<double> rho;
  std::vector<std::size_t> truths;
  Eigen::MatrixXd kappa;
  double cap;
  Problem(Random& random, bool tree)
      : n(1 + random.Below(12)), outputs(2 + random.Below(5)), cap(0.1 + random.Uniform()) {
    const auto rows = static_cast<Eigen::Index>(n), columns = static_cast<Eigen::Index>(outputs);
    std::vector<double> x(n * 3);
    for (double& value : x) value = random.Normal();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double dot = 0.1;
        for (std::size_t f = 0; f < 3; ++f) dot += x[i * 3 + f] * x[j * 3 + f];
        k.push_back(dot);
      }
    rho.setZero(rows, columns);
    for (std::size_t i = 0; i < n; ++i) {
      truths.push_back(random.Below(outputs));
      for (std::size_t y = 0; y < outputs; ++y)
        if (y != truths[i])
          rho(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(y)) = 1.5 * random.Normal();
    }
    if (!tree) return;
    const LabelTree labels = testing::RandomTree(outputs, random);
    kappa.resize(columns, columns);
    for (std::size_t y = 0; y < outputs; ++y)
      for (std::size_t o = 0; o < outputs; ++o)
        kappa(static_cast<Eigen::Index>(y), static_cast<Eigen::Index>(o)) = labels.Kappa(y, o);
  }
  RowMatrixView<double> gram() const {
    const auto size = static_cast<Eigen::Index>(n);
    return {k.data(), size, size, Eigen::OuterStride<>(size)};
  }
  RowMatrix<double> Scores(const RowMatrix<double>& tau) const {
    const RowMatrix<double> u = gram() * tau;
    return kappa.size() > 0 ? RowMatrix<double>(u * kappa) : u;
  }
  double Dual(const RowMatrix<double>& tau) const {
    return -(tau.array() * rho.array()).sum() - 0.5 * (tau.array() * Scores(tau).array()).sum();
  }
  double Primal(const RowMatrix<double>& tau) const {
    const RowMatrix<double> u = Scores(tau);
    double loss = 0;
    for (Eigen::Index i = 0; i < u.rows(); ++i) {
      const auto truth = static_cast<Eigen::Index>(truths[static_cast<std::size_t>(i)]);
      loss += std::max(0.0, ((rho.row(i) + u.row(i)).array() - u(i, truth)).maxCoeff());
    }
    return 0.5 * (tau.array() * u.array()).sum() + cap * loss;
  }
};

TEST_CASE("structural SFD's dual: feasible, its gap is primal minus dual, no nearby point is better") {
  for (const bool tree : {false, true})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const Problem problem(random, tree);
      OutputDualSolver<double> solver;
      RowMatrix<double> tau;
      const QpResult result =
          solver.Solve(problem.gram(), problem.truths, problem.rho, problem.kappa, problem.cap, 1e-9, tau);
      INFO("seed " << seed << (tree ? " tree" : ""));
      REQUIRE(result.converged);
      for (Eigen::Index i = 0; i < tau.rows(); ++i) {
        REQUIRE(tau.row(i).sum() == Approx(0).margin(1e-12));
        for (Eigen::Index y = 0; y < tau.cols(); ++y) {
          const bool own = static_cast<std::size_t>(y) == problem.truths[static_cast<std::size_t>(i)];
          REQUIRE(tau(i, y) <= (own ? problem.cap : 0) + 1e-12);
        }
      }
      const double dual = problem.Dual(tau);
      REQUIRE(result.objective == Approx(dual).margin(1e-10));
      REQUIRE(problem.Primal(tau) - dual <= 1e-8 * (1 + problem.Primal(tau)));
      REQUIRE((problem.Scores(tau) - solver.scores()).cwiseAbs().maxCoeff() < 1e-9);
      // Every feasible point is below the primal, so it is at most the gap above this solution.
      for (int trial = 0; trial < 50; ++trial) {
        RowMatrix<double> other = RowMatrix<double>::Zero(tau.rows(), tau.cols());
        for (Eigen::Index i = 0; i < tau.rows(); ++i) {
          const auto own = static_cast<Eigen::Index>(problem.truths[static_cast<std::size_t>(i)]);
          const auto y = static_cast<Eigen::Index>(random.Below(problem.outputs));
          const double mass = problem.cap * random.Uniform();
          other(i, own) += mass;
          other(i, y) -= mass;
          other.row(i) = 0.5 * (other.row(i) + tau.row(i));
        }
        REQUIRE(problem.Dual(other) <= dual + 1e-8 * (1 + std::abs(dual)));
      }
    }
}

TEST_CASE("structural SFD with binary labels equals SFD") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = testing::RandomDense<double>(120, 4, LabelKind::kBinary, 2, seed);
    sfd::Options plain;
    Options options;
    plain.gap = options.gap = 1e-10;
    plain.bounded_below = options.bounded_below = seed % 2 == 0;
    sfd::Sfd<double> a(plain, Context(data, kRbf));
    StructuralSfd<double> b(options, Context(data, kRbf));
    Random random(seed);
    std::vector<std::uint32_t> order(120);
    for (std::uint32_t i = 0; i < 120; ++i) order[i] = i;
    for (int round = 0; round < 12; ++round) {
      const auto batch = std::span(order).subspan(static_cast<std::size_t>(round % 6) * 20, 20);
      const RoundOutcome x = a.Round(batch), y = b.Round(batch);
      REQUIRE(x.mean_loss == Approx(y.mean_loss).epsilon(1e-5).margin(1e-7));
      REQUIRE(x.mistakes == y.mistakes);
      REQUIRE(a.squared_norm() == Approx(b.squared_norm()).epsilon(1e-5));
      REQUIRE(a.counts().requested == b.counts().requested);
    }
    // Psi(x, y) = y psi(x) / 2: a pair of structural coefficients corresponds to one binary coefficient.
    for (std::uint32_t i = 0; i < 120; ++i) {
      const double pair = (b.expansion().coefficient(1, i) - b.expansion().coefficient(0, i)) / 2;
      CHECK(pair == Approx(a.expansion().coefficient(0, i)).epsilon(1e-3).margin(1e-5));
    }
  }
}

TEST_CASE("importance sampling of structural SFD with binary labels equals that of SFD") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = testing::RandomDense<double>(120, 4, LabelKind::kBinary, 2, seed);
    sfd::Options plain;
    Options options;
    plain.gap = options.gap = 1e-10;
    plain.importance = options.importance = true;
    auto context = Context(data, kRbf);
    context.seed = seed;
    sfd::Sfd<double> a(plain, context);
    StructuralSfd<double> b(options, context);
    const std::vector<std::uint32_t> batch(20, 0);  // importance sampling uses only its size
    for (int round = 0; round < 12; ++round) {
      const RoundOutcome x = a.Round(batch), y = b.Round(batch);
      REQUIRE(x.mean_loss == Approx(y.mean_loss).epsilon(1e-5).margin(1e-7));
      REQUIRE(a.squared_norm() == Approx(b.squared_norm()).epsilon(1e-5));
    }
    CHECK(a.support_vectors() > 40);
    for (std::uint32_t i = 0; i < 120; ++i) {
      const double pair = (b.expansion().coefficient(1, i) - b.expansion().coefficient(0, i)) / 2;
      CHECK(pair == Approx(a.expansion().coefficient(0, i)).epsilon(1e-3).margin(1e-5));
    }
  }
}

TEST_CASE("importance sampling of structural SFD draws examples with a residual margin, by hand") {
  // Linear kernel, three classes. Two examples x = 1 of class 0 and one x = -2 of class 1, batches of one. A
  // round on an example with rho > 0 leaves its own residual margins at 0 (lambda = 1 and a kernel value of
  // at least 1 reach them), and by symmetry those of its copy. So two rounds visit both classes, in either
  // order.
  const auto data = Examples<double>::Dense(1, {1, 1, -2}, {0, 0, 1}, LabelKind::kMulticlass, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Options options;
    options.gap = 1e-12;
    options.importance = true;
    auto context = Context(data, Kernel::Linear());
    context.seed = seed;
    StructuralSfd<double> learner(options, context);
    const std::uint32_t batch[] = {0};
    CHECK(learner.Round(batch).mean_loss == 1);
    const double after = learner.Round(batch).mean_loss;
    CHECK(after > 0);
    const auto& model = learner.expansion();
    CHECK(model.coefficient(1, 2) > 0);
    CHECK((model.coefficient(0, 0) > 0) != (model.coefficient(0, 1) > 0));
  }
}

TEST_CASE("structural SFD: norm, theorem 3, gap, and cutting planes within epsilon") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(5, random);
    const auto data = testing::RandomDense<double>(90, 4, LabelKind::kMulticlass, 5, seed);
    Options options;
    options.tree_distances = seed % 2 == 0;
    options.tree_kernel = seed % 3 == 0;
    options.bounded_below = seed % 4 < 2;
    options.schedule = seed < 3 ? UpdateSchedule::Kind::kSfd1 : UpdateSchedule::Kind::kSfd2;
    StructuralSfd<double> learner(options, Context(data, kRbf, &tree));
    options.planes = true;
    options.epsilon = 1e-4;
    StructuralSfd<double> planes(options, Context(data, kRbf, &tree));
    std::vector<std::uint32_t> order(90);
    for (std::uint32_t i = 0; i < 90; ++i) order[i] = i;
    for (std::size_t round = 0; round < 9; ++round) {
      const auto batch = std::span(order).subspan(round % 6 * 15, 15);
      const RoundOutcome a = learner.Round(batch), b = planes.Round(batch);
      INFO("seed " << seed << " round " << round);
      REQUIRE(Reported(learner, "update_norm") <= Reported(learner, "update_bound") * (1 + 1e-9));
      REQUIRE(Reported(planes, "update_norm") <= Reported(planes, "update_bound") * (1 + 1e-9));
      REQUIRE(Reported(learner, "relative_gap") <= 1e-6);
      if (round == 0)
        REQUIRE(Reported(planes, "update_norm") == Approx(Reported(learner, "update_norm")).epsilon(0.05));
      REQUIRE(a.task_loss.has_value());
      REQUIRE(b.examples == 15);
    }
    double direct = 0;
    for (std::uint32_t i = 0; i < 90; ++i)
      for (std::uint32_t j = 0; j < 90; ++j)
        for (std::size_t r = 0; r < 5; ++r)
          for (std::size_t o = 0; o < 5; ++o)
            direct += learner.expansion().coefficient(r, i) * learner.expansion().coefficient(o, j) *
                      learner.task().Kappa(r, o) * testing::PlainKernel(kRbf, data, i, data, j);
    CHECK(learner.squared_norm() == Approx(direct).epsilon(1e-8));
  }
}

TEST_CASE("structural SFD: measurements, and rejected parameters and labels") {
  const auto data = testing::RandomDense<double>(60, 3, LabelKind::kMulticlass, 3, 7);
  auto context = Context(data, kRbf);
  context.test = &data;
  StructuralSfd<double> learner({}, context);
  CHECK(learner.MeasureTraining().mean_loss == 1);
  std::vector<std::uint32_t> all(60);
  for (std::uint32_t i = 0; i < 60; ++i) all[i] = i;
  learner.Round(all);
  const TrainingOutcome after = learner.MeasureTraining();
  CHECK(after.mean_loss < 1);
  CHECK(learner.Test().mistakes < 40);
  CHECK(learner.counts().evaluation == 2 * 60 * learner.support_vectors());
  CHECK(learner.oracle_calls() == 60);
  const auto real = testing::RandomDense<double>(10, 2, LabelKind::kReal, 2, 1);
  CHECK_THROWS_WITH(StructuralSfd<double>({}, Context(real, kRbf)),
                    Catch::Contains("multiclass labels, but the data has real ones"));
  Options tree;
  tree.tree_kernel = true;
  CHECK_THROWS_WITH(StructuralSfd<double>(tree, Context(data, kRbf)), Catch::Contains("data.tree"));
  const LabelTree other = LabelTree::Flat(4);
  CHECK_THROWS_WITH(StructuralSfd<double>(tree, Context(data, kRbf, &other)), Catch::Contains("4 classes"));
}

}  // namespace
}  // namespace okbench::structural_sfd
