// AIOLI: two steps by hand, the prediction by minimising its objective, and its regret.

#include "learners/methods/aioli/aioli.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::aioli {
namespace {

using Aioli = OneVsRest<double, aioli::Method>;
using testing::FilterContext;

aioli::Options With(double nu, double lambda, double bound) {
  aioli::Options options;
  options.nu = nu;
  options.lambda = lambda;
  options.bound = bound;
  return options;
}

TEST_CASE("AIOLI: two steps by hand") {
  // k = x x', lambda = 1/2, B R = 1, so A = 1 before the first step. x = 1, y = 1: z = 0, l' = -1/2, eta =
  // 1/2: A = 1 + 1/8, b = 1/2, f(x) = 4/9 x. x = 1, y = -1: z + 8/9 tanh(z / 2) = 4/9.
  const auto rows = Examples<double>::Dense(1, {1, 1}, {1, -1}, LabelKind::kBinary, 2);
  Aioli learner(With(0.5, 0.5, 1), FilterContext(rows, Kernel::Linear()));
  CHECK(learner.Step(0).loss == Approx(std::log(2.0)));
  CHECK(learner.set().alpha(0, 0) == Approx(4.0 / 9));
  const double z = learner.Step(1).prediction;
  CHECK(z + 8.0 / 9 * std::tanh(z / 2) == Approx(4.0 / 9));
  CHECK(learner.counts().requested == 1 + 2);
}

TEST_CASE("AIOLI: the prediction solves its equation for any score and leverage") {
  for (const double s : {-900.0, -3.0, -1e-9, 0.0, 0.2, 5.0, 1e4})
    for (const double v : {0.0, 1e-6, 0.5, 30.0, 1e6}) {
      const double z = aioli::ImproperScore(s, v);
      CHECK(z + v * std::tanh(z / 2) == Approx(s).epsilon(1e-9).margin(1e-9 * (1 + v)));
    }
}

// Minimises a smooth convex function of w by Newton steps; `at` adds its gradient and Hessian.
template <class At>
Eigen::VectorXd Minimum(Eigen::Index n, const At& at) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
  for (int step = 0; step < 60; ++step) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(n, n);
    at(w, gradient, hessian);
    w -= hessian.ldlt().solve(gradient);
  }
  return w;
}

// Adds the logistic loss of the label y at x.
void AddLogistic(const Eigen::VectorXd& x, double y, const Eigen::VectorXd& w, Eigen::VectorXd& gradient,
                 Eigen::MatrixXd& hessian) {
  const double wrong = 1 / (1 + std::exp(y * w.dot(x)));
  gradient -= y * wrong * x;
  hessian += wrong * (1 - wrong) * x * x.transpose();
}

TEST_CASE("AIOLI minimises its objective, and its regret is at most that of its theorem") {
  constexpr double kLambda = 0.3;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto rows = testing::RandomDense<double>(150, 3, LabelKind::kBinary, 2, seed);
    const auto x_of = [&](std::uint32_t i) {
      const auto row = testing::DenseRow(rows, i);
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(row.data(), 3));
    };
    const auto regularised = [&](const auto& w, auto& gradient, auto& hessian) {
      gradient += 2 * kLambda * w;
      hessian.diagonal().array() += 2 * kLambda;
    };
    // The best comparator, and the bound B R that holds for it.
    const Eigen::VectorXd best = Minimum(3, [&](const auto& w, auto& gradient, auto& hessian) {
      regularised(w, gradient, hessian);
      for (std::uint32_t i = 0; i < rows.size(); ++i)
        AddLogistic(x_of(i), rows.label(i), w, gradient, hessian);
    });
    double radius = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) radius = std::max(radius, x_of(i).norm());
    const double bound = best.norm() * radius;
    Aioli learner(With(1e-9, kLambda, bound), FilterContext(rows, Kernel::Linear()));
    Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(3, 3);  // sum of eta g g'
    Eigen::VectorXd linear = Eigen::VectorXd::Zero(3);      // sum of g - eta g g'w_s
    double loss = 0, least = kLambda * best.squaredNorm();
    Eigen::MatrixXd outer = Eigen::MatrixXd::Identity(3, 3);
    for (std::uint32_t t = 0; t < rows.size(); ++t) {
      const Eigen::VectorXd x = x_of(t);
      const double y = rows.label(t);
      const Eigen::VectorXd w = Minimum(3, [&](const auto& at, auto& gradient, auto& hessian) {
        regularised(at, gradient, hessian);
        gradient += squares * at + linear;
        hessian += squares;
        AddLogistic(x, 1, at, gradient, hessian);
        AddLogistic(x, -1, at, gradient, hessian);
      });
      const StepOutcome outcome = learner.Step(t);
      REQUIRE(outcome.prediction == Approx(w.dot(x)).margin(1e-7));
      REQUIRE(outcome.loss == Approx(std::log1p(std::exp(-y * w.dot(x)))).margin(1e-7));
      loss += outcome.loss;
      least += std::log1p(std::exp(-y * best.dot(x)));
      const Eigen::VectorXd g = -y / (1 + std::exp(y * w.dot(x))) * x;
      const double eta = std::exp(y * w.dot(x)) / (1 + bound);
      squares += eta * g * g.transpose();
      linear += g - eta * g.dot(w) * g;
      outer += x * x.transpose() / (8 * kLambda * (1 + bound));
    }
    CHECK(loss - least <= (1 + bound) * std::log(outer.determinant()));
  }
}

}  // namespace
}  // namespace okbench::aioli
