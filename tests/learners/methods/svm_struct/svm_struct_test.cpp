// SVMstruct by hand; SVMstruct and BCFW against each other and against the solver of the dual.

#include "learners/methods/svm_struct/svm_struct.h"

#include "base/error.h"
#include "learners/methods/bcfw/bcfw.h"
#include "learners/methods/structural_sfd/output_dual.h"
#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench::svm_struct {
namespace {

const Kernel kRbf = Kernel::RbfFromGamma(0.2);

LearnerContext<double> Context(const Examples<double>& train, const Kernel& kernel,
                               const LabelTree* tree = nullptr) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .tree = tree, .seed = 3};
}

template <class Learner>
RoundOutcome Train(Learner& learner, int most) {
  RoundOutcome outcome;
  for (int round = 0; round < most && !outcome.finished; ++round) outcome = learner.Round({});
  return outcome;
}

TEST_CASE("SVMstruct: one plane by hand") {
  // The same problem: the plane has offset 1, d = Psi(0) - Psi(1), ||d||^2 = 2; b = min(1, lambda / 2) = 1: f
  // = d / 2, whose loss is 0. The next round finds no violated plane.
  const auto data = Examples<double>::Dense(1, {1}, {0}, LabelKind::kMulticlass, 2);
  svm_struct::SvmStruct<double> learner({{{}, 2.0}}, Context(data, Kernel::Linear()));
  CHECK(learner.Round({}).mean_loss == 1);
  CHECK(learner.coefficient(0, 0) == Approx(0.5));
  CHECK(learner.coefficient(1, 0) == Approx(-0.5));
  const RoundOutcome outcome = learner.Round({});
  CHECK((outcome.converged && outcome.whole_set));
  CHECK(learner.primal() == Approx(0.5));
  CHECK(learner.counts().requested == 0 + 1 + 1);
  CHECK(learner.counts().computed == 1);
}

TEST_CASE("BCFW, SVMstruct and the dual's solver reach the same objective") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(4, random);
    const bool binary = seed == 5;
    const auto data = testing::RandomDense<double>(
        40, 3, binary ? LabelKind::kBinary : LabelKind::kMulticlass, binary ? 2 : 4, seed);
    const double lambda = 0.02;
    TaskOptions task{.tree_distances = !binary && seed % 2 == 0, .tree_kernel = !binary && seed % 3 == 0};
    bcfw::Bcfw<double> a({{task, lambda, seed < 2 ? 0U : 8U}, 1e-4}, Context(data, kRbf, &tree));
    svm_struct::SvmStruct<double> b({{task, lambda}, 1e-5}, Context(data, kRbf, &tree));
    INFO("seed " << seed);
    REQUIRE(Train(a, 5000).converged);
    REQUIRE(Train(b, 5000).converged);
    // The generic solver on the whole kernel matrix.
    const auto n = static_cast<Eigen::Index>(data.size()),
               outputs = static_cast<Eigen::Index>(a.task().outputs());
    std::vector<double> k;
    RowMatrix<double> rho = RowMatrix<double>::Zero(n, outputs), tau;
    Eigen::MatrixXd kappa(outputs, outputs);
    std::vector<std::size_t> truths;
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t j = 0; j < data.size(); ++j) k.push_back(testing::PlainKernel(kRbf, data, i, data, j));
      truths.push_back(a.task().Output(data.label(i)));
      for (Eigen::Index y = 0; y < outputs; ++y)
        rho(static_cast<Eigen::Index>(i), y) = a.task().Delta(truths.back(), static_cast<std::size_t>(y));
    }
    for (Eigen::Index y = 0; y < outputs; ++y)
      for (Eigen::Index o = 0; o < outputs; ++o)
        kappa(y, o) = a.task().Kappa(static_cast<std::size_t>(y), static_cast<std::size_t>(o));
    OutputDualSolver<double> solver;
    const QpResult exact = solver.Solve({k.data(), n, n, Eigen::OuterStride<>(n)}, truths, rho, kappa,
                                        1 / (lambda * 40), 1e-8, tau);
    REQUIRE(exact.converged);
    const double best = lambda * exact.objective;
    CHECK(a.dual() <= best * (1 + 1e-7));
    CHECK(a.primal() >= best * (1 - 1e-7));
    CHECK(a.primal() <= best * (1 + 1.1e-4));
    CHECK(b.primal() >= best * (1 - 1e-7));
    CHECK(b.primal() <= best + 2e-5);
    // tau is feasible, and small if nothing is violated.
    for (std::uint32_t i = 0; i < 40; ++i) {
      double sum = 0;
      for (std::size_t r = 0; r < a.task().outputs(); ++r) {
        sum += a.coefficient(r, i);
        CHECK(a.coefficient(r, i) <= (r == truths[i] ? 1 / (lambda * 40) : 0) + 1e-12);
      }
      CHECK(sum == Approx(0).margin(1e-12));
    }
  }
}

TEST_CASE("BCFW and SVMstruct: the row cache changes only the computed evaluations") {
  const auto data = testing::RandomDense<double>(60, 3, LabelKind::kMulticlass, 3, 2);
  auto context = Context(data, kRbf);
  context.test = &data;
  bcfw::Bcfw<double> wide({{{}, 0.01, 8}, 1e-3}, context), narrow({{{}, 0.01, 0}, 1e-3}, context);
  svm_struct::SvmStruct<double> s({{{}, 0.01, 8}, 1e-3}, context), t({{{}, 0.01, 0}, 1e-3}, context);
  Train(wide, 6);
  Train(narrow, 6);
  Train(s, 6);
  Train(t, 6);
  CHECK(wide.dual() == narrow.dual());
  CHECK(s.primal() == t.primal());
  CHECK(wide.counts().requested == narrow.counts().requested);
  CHECK(s.counts().requested == t.counts().requested);
  CHECK(wide.counts().computed == 60 * 60);
  CHECK(s.counts().computed <= 60 * 60);
  CHECK(narrow.counts().computed > 60 * 60);
  CHECK(wide.Test().mistakes == narrow.Test().mistakes);
  CHECK(wide.MeasureTraining().mean_loss >= 0);
}

}  // namespace
}  // namespace okbench::svm_struct
