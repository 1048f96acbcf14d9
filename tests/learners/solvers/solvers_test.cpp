// Quadratic programs of learners/solvers: cases by hand, brute force over a grid, and the duality gap against
// its definition.

#include <functional>

#include "learners/solvers/box_qp.h"
#include "learners/solvers/cutting_planes.h"
#include "learners/solvers/simplex_qp.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Eigen::ArrayXd;
using Eigen::VectorXd;
using Matrix = RowMatrix<double>;

template <class List>
List Normals(std::size_t n, Random& random) {
  return List::NullaryExpr(static_cast<Eigen::Index>(n), [&random] { return random.Normal(); });
}

// B B' with B of `rank` columns: positive semidefinite, singular when rank < n.
Matrix RandomMatrix(std::size_t n, std::size_t rank, Random& random) {
  const VectorXd values = Normals<VectorXd>(n * rank, random);
  const Eigen::Map<const Matrix> b(values.data(), static_cast<Eigen::Index>(n),
                                   static_cast<Eigen::Index>(rank));
  return b * b.transpose();
}

RowMatrixView<double> View(const Matrix& q) {
  return {q.data(), q.rows(), q.cols(), Eigen::OuterStride<>(q.cols())};
}

double Objective(const Matrix& q, const VectorXd& p, const VectorXd& a) {
  return p.dot(a) - 0.5 * a.dot(q * a);
}

TEST_CASE("box program: one problem by hand") {
  // Q = [2 1; 1 2], p = (3, 0). The free optimum of a_1 alone is 1.5, so the cap 1 is active. Then the
  // gradient of a_2 is 0 - 1 < 0, so a = (1, 0). Objective 3 - 1 = 2, gap 1 max(0, 1) - 1 * 1 = 0.
  const Matrix q{{2, 1}, {1, 2}};
  ArrayXd a(2);
  BoxQpSolver<double> solver;
  const QpResult result = solver.Solve(View(q), Eigen::Array2d(3, 0), 1, 1e-12, a);
  CHECK((a == Eigen::Array2d(1, 0)).all());
  CHECK(result.objective == 2);
  CHECK(result.gap == Approx(0).margin(1e-15));
  CHECK(result.converged);
}

TEST_CASE("box program: a variable without curvature goes to its bound") {
  const Matrix q{{0, 0}, {0, 1}};
  ArrayXd a(2);
  CHECK(BoxQpSolver<double>().Solve(View(q), Eigen::Array2d(0.5, -1), 2, 1e-12, a).converged);
  CHECK((a == Eigen::Array2d(2, 0)).all());
}

TEST_CASE("box program agrees with brute force over a grid") {
  constexpr int kPoints = 40;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const std::size_t rank = 1 + random.Below(3);
    const Matrix q = RandomMatrix(3, rank, random);
    const ArrayXd p = Normals<ArrayXd>(3, random);
    const double cap = 0.2 + random.Uniform();
    ArrayXd a(3);
    const QpResult result = BoxQpSolver<double>().Solve(View(q), p, cap, 1e-10, a);
    CHECK(result.objective == Approx(Objective(q, p, a)).margin(1e-12));
    double best = -1e300;
    for (int i = 0; i <= kPoints; ++i)
      for (int j = 0; j <= kPoints; ++j)
        for (int k = 0; k <= kPoints; ++k) {
          const Eigen::Array3d point(i * cap / kPoints, j * cap / kPoints, k * cap / kPoints);
          best = std::max(best, Objective(q, p, point));
        }
    CHECK(result.objective >= best - 1e-9);
    // The optimum is at most half a grid step away in each coordinate, and the objective is Lipschitz there.
    CHECK(result.objective <= best + 3 * (cap / kPoints) * 20);
  }
}

TEST_CASE("box program: reaches its tolerance, and its gap is primal minus dual") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(100 + seed);
    const std::size_t n = 5 + random.Below(40);
    const Matrix q = RandomMatrix(n, 1 + random.Below(n), random);
    const ArrayXd p = Normals<ArrayXd>(n, random);
    const double cap = 0.05 + random.Uniform();
    ArrayXd a(p.size());
    BoxQpSolver<double> solver;
    const QpResult result = solver.Solve(View(q), p, cap, 1e-6, a);
    REQUIRE(result.converged);
    const ArrayXd qa = q * a.matrix();
    double primal = 0;
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      CHECK(a[i] >= 0);
      CHECK(a[i] <= cap);
      CHECK(solver.gradient()[i] == Approx(p[i] - qa[i]).margin(1e-9));
      primal += 0.5 * a[i] * qa[i] + cap * std::max(0.0, p[i] - qa[i]);
    }
    CHECK(result.gap == Approx(primal - Objective(q, p, a)).margin(1e-9));
    CHECK(result.gap <= 1e-6 * primal * (1 + 1e-9));
  }
}

TEST_CASE("simplex program: two problems by hand") {
  // G = I, p = (1, 0): b_1 = t, b_2 = 1 - t maximises t - (t^2 + (1-t)^2)/2 at t = 1: all weight on the
  // first. p = (0.5, 0): t = 3/4, objective 3/8 - (9/16 + 1/16)/2 = 1/16.
  const Eigen::Matrix2d g = Eigen::Matrix2d::Identity();
  VectorXd b = Eigen::Vector2d(0, 1);
  CHECK(SimplexQpSolver().Solve(g, Eigen::Vector2d(1, 0), 1e-12, b).objective == Approx(0.5));
  CHECK(b == Eigen::Vector2d(1, 0));
  b = Eigen::Vector2d(0, 1);
  CHECK(SimplexQpSolver().Solve(g, Eigen::Vector2d(0.5, 0), 1e-12, b).objective == Approx(0.0625));
  CHECK(b[0] == Approx(0.75));
}

TEST_CASE("simplex program: agrees with brute force, and its gap bounds the suboptimality") {
  constexpr int kPoints = 120;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(200 + seed);
    const Matrix g = RandomMatrix(3, 1 + random.Below(3), random);
    const VectorXd p = Normals<VectorXd>(3, random);
    VectorXd b = Eigen::Vector3d(1, 0, 0), rough = b;
    const QpResult exact = SimplexQpSolver().Solve(g, p, 1e-10, b);
    const QpResult loose = SimplexQpSolver().Solve(g, p, 0.3, rough);
    CHECK(exact.converged);
    CHECK(b[0] + b[1] + b[2] == Approx(1).epsilon(1e-12));
    double best = -1e300;
    for (int i = 0; i <= kPoints; ++i)
      for (int j = 0; i + j <= kPoints; ++j)
        best = std::max(best, Objective(g, p, Eigen::Vector3d(i, j, kPoints - i - j) / kPoints));
    CHECK(exact.objective >= best - 1e-9);
    CHECK(exact.objective <= best + 0.3);
    CHECK(loose.objective + loose.gap >= exact.objective - 1e-9);
  }
}

TEST_CASE("cutting planes: one plane by hand") {
  // One plane r = 1, <d,d> = 1, lambda = 2: max b - b^2/4 over [0, 1] is at b = 1, so xi = 1 - 1/2. With
  // lambda = 1/2 it is b - b^2 at b = 1/2, xi = 0: the zero plane has the other half of the weight.
  CuttingPlanes strong(2);
  strong.Add(1, VectorXd::Ones(1));
  CHECK(strong.Solve(1e-12).converged);
  CHECK(strong.weight(0) == Approx(1));
  CHECK(strong.slack() == Approx(0.5));
  CuttingPlanes weak(0.5);
  weak.Add(1, VectorXd::Ones(1));
  weak.Solve(1e-12);
  CHECK(weak.weight(0) == Approx(0.5));
  CHECK(weak.slack() == Approx(0).margin(1e-12));
}

TEST_CASE("cutting planes: dropping idle planes does not change the solution") {
  Random random(9);
  constexpr std::size_t kPlanes = 12;
  const Matrix g = RandomMatrix(kPlanes, 4, random);
  CuttingPlanes planes(0.7);
  for (std::size_t p = 0; p < kPlanes; ++p)
    planes.Add(random.Uniform(),
               g.row(static_cast<Eigen::Index>(p)).head(static_cast<Eigen::Index>(p + 1)).transpose());
  planes.Solve(1e-10);
  const QpResult before = planes.Solve(1e-10);
  const double slack = planes.slack();
  const std::vector<bool> kept = planes.DropIdle(2);
  CHECK(planes.size() < kPlanes);
  CHECK(static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true)) == planes.size());
  const QpResult after = planes.Solve(1e-10);
  CHECK(after.objective == Approx(before.objective));
  CHECK(planes.slack() == Approx(slack).margin(1e-9));
}

}  // namespace
}  // namespace okbench
