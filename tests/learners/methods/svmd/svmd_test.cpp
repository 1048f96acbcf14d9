// SVMD: steps by hand, whole runs against an eager implementation, and NORMA as its special case.

#include "learners/methods/svmd/svmd.h"

#include "learners/methods/norma/norma.h"
#include "tests/catch.h"
#include "tests/learners/online_svm.h"

namespace okbench::svmd {
namespace {

using norma::ScheduledStep;
using svmd::MetaDescent;
using testing::Hinge;
using testing::OnlineContext;

TEST_CASE("SVMD: two steps by hand, linear kernel in one dimension") {
  // x_1 = 1, y = +1; x_2 = 2, y = -1; c = 0.5, eta_0 = 0.5, mu = 0.1, lambda = 0.9, margin 1. Functions are
  // slopes. Step 1: f = v = 0, xi = -1, eta = 0.5, alpha_1 = beta_1 = 0.5: f = v = 0.5, ||f||^2 = pi = 0.25.
  // Step 2: f(2) = v(2) = 1, xi = +1, <g,v> = 0.5*0.25 + 1 = 1.125, eta = 0.5 (1 - 0.1125) = 0.44375,
  //         D = 0.778125: alpha = (0.3890625, -0.44375), beta_1 = 0.9 D 0.5 - 0.44375*0.5*0.5 = 0.23921875,
  //         beta_2 = -0.44375; f = -0.4984375, v = -0.64828125.
  const auto data = Examples<float>::Dense(1, {1, 2}, {1, -1}, LabelKind::kBinary, 2);
  OnlineSvm<float, MetaDescent> learner(Hinge(0.5, 10), MetaDescent(0.5, 0.1, 0.9, 1),
                                        OnlineContext(data, Kernel::Linear()));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.loss == 1 && outcome.mistake && outcome.margin_error));
  CHECK(learner.step_size().value() == 0.5);
  CHECK(learner.squared_norm() == 0.25);
  CHECK(learner.step_size().pi() == 0.25);
  outcome = learner.Step(1);
  CHECK((outcome.loss == 2 && outcome.mistake));
  CHECK(learner.step_size().value() == Approx(0.44375).epsilon(1e-15));
  const auto& expansion = learner.expansion();
  CHECK(expansion.alpha(0, 0) == Approx(0.3890625).epsilon(1e-14));
  CHECK(expansion.alpha(1, 0) == Approx(-0.44375).epsilon(1e-14));
  CHECK(expansion.beta(0, 0) == Approx(0.23921875).epsilon(1e-14));
  CHECK(expansion.beta(1, 0) == Approx(-0.44375).epsilon(1e-14));
  CHECK(learner.squared_norm() == Approx(0.4984375 * 0.4984375).epsilon(1e-14));
  CHECK(learner.step_size().pi() == Approx(0.4984375 * 0.64828125).epsilon(1e-14));
  CHECK(learner.counts().requested == 0 + 1 + 1 + 1);  // no row, k(x1,x1), row of one, k(x2,x2)
}

TEST_CASE("nu-trick by hand: the exponential update with meta-descent, and the additive update") {
  // eps = 0.5, nu = 0.25, a margin error: G = 0.5*0.75 = 0.375; eta_eps = 1 (v_eps = 0), v_eps = -0.375,
  // eps = 0.5 e^{-0.375}.
  AdaptiveMargin margin(0.5, 0.25, AdaptiveMargin::Update::kExponential);
  MetaDescent step(1, 0.1, 0.9, 1);
  CHECK(margin.LogGradient(1) == 0.375);
  CHECK(margin.LossTerm() == -0.125);
  margin.Step(1, step.NextMargin(0.375));
  CHECK(margin.value() == Approx(0.5 * std::exp(-0.375)).epsilon(1e-15));
  // No margin error: G = -0.25 eps, eta_eps = 1 - 0.1*(-0.375)*G.
  const double g = margin.LogGradient(0);
  CHECK(g == Approx(-0.25 * margin.value()).epsilon(1e-15));
  CHECK(step.NextMargin(g) == Approx(1 + 0.1 * 0.375 * g).epsilon(1e-15));
  AdaptiveMargin additive(0.5, 0.25, AdaptiveMargin::Update::kAdditive);
  additive.Step(1, 0.1);
  CHECK(additive.value() == Approx(0.5 - 0.1 * 0.75).epsilon(1e-15));
  additive.Step(0, 0.1);
  CHECK(additive.value() == Approx(0.425 + 0.1 * 0.25).epsilon(1e-15));
}

TEST_CASE("SVMD variants by hand: the exact exponential, and a margin with a fixed step size") {
  const double xi = -1, v = 0.25, far = -30;
  const auto view = [&xi](const double& value) {
    StepView shown;
    shown.xi = std::span(&xi, 1);
    shown.v = std::span(&value, 1);
    return shown;
  };
  // <g, v> = xi v = -0.25: 2 max(1/2, 1 + 0.1 * 0.25) and 2 exp(0.025).
  MetaDescent linear(2, 0.1, 0.9, 1), exact(2, 0.1, 0.9, 1, svmd::Factor::kExponential),
      quadratic(2, 0.1, 0.9, 1, svmd::Factor::kQuadratic);
  CHECK(linear.Next(view(v)) == Approx(2.05).epsilon(1e-15));
  CHECK(exact.Next(view(v)) == Approx(2 * std::exp(0.025)).epsilon(1e-15));
  CHECK(quadratic.Next(view(v)) == Approx(2 * (1 + 0.025 + 0.025 * 0.025 / 2)).epsilon(1e-15));
  // <g, v> = 30: the linear and the quadratic factor stop at 1/2, the exponential continues to fall.
  CHECK(linear.Next(view(far)) == Approx(1.025).epsilon(1e-15));
  CHECK(exact.Next(view(far)) == Approx(2 * std::exp(0.025 - 3)).epsilon(1e-14));
  CHECK(quadratic.Next(view(far)) == Approx(1 + 0.025 + 0.025 * 0.025 / 2).epsilon(1e-15));
  MetaDescent fixed(1, 0.1, 0.9, 0.7, svmd::Factor::kLinear, false);
  CHECK((fixed.NextMargin(0.375) == 0.7 && fixed.NextMargin(-5) == 0.7));
}

TEST_CASE("a full buffer drops the oldest or the smallest term, by hand") {
  // Squared loss, and a kernel that is 0 between the points: alpha_i = y_i for eta = 1. After 3 and 1 the
  // buffer is full; 2 replaces the oldest term, 3, or the smallest, 1. Then 0.5 replaces 1 or 2.
  const auto data = Examples<double>::Regression(1, {0, 1, 2, 3}, {.targets = {3, 1, 2, 0.5}, .truth = {}});
  for (const bool smallest : {false, true}) {
    OnlineSvmOptions options{.loss = "squared", .buffer = 2, .remove_smallest = smallest};
    OnlineSvm<double, MetaDescent> learner(options, MetaDescent(1, 0, 0.9, 1),
                                           OnlineContext(data, Kernel::RbfFromGamma(1e6)));
    for (std::uint32_t i = 0; i < 3; ++i) learner.Step(i);
    const auto& terms = learner.expansion();
    CHECK(terms.example(0) == (smallest ? 0 : 2));
    CHECK(terms.example(1) == (smallest ? 2 : 1));
    CHECK(terms.alpha(0, 0) == (smallest ? 3 : 2));
    CHECK(terms.alpha(1, 0) == (smallest ? 2 : 1));
    learner.Step(3);
    CHECK(terms.example(1) == 3);
    CHECK(terms.alpha(1, 0) == 0.5);
  }
  CHECK_THROWS_AS((OnlineSvmOptions{.remove_smallest = true, .subtract_dropped = true}.Validate()),
                  InvalidArgument);
}

TEST_CASE("SVMD agrees with an eager implementation that uses a full kernel matrix") {
  // Updates each coefficient separately, evaluates v from scratch, and takes the step size from eq. 36: the
  // paper's algorithm, step by step.
  const Kernel kernel = Kernel::RbfFromGamma(0.05);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = testing::RandomDense<double>(150, 5, LabelKind::kBinary, 2, 40 + seed);
    const double c = 0.3, mu = 0.2, lambda = seed == 0 ? 0.0 : 0.95;
    OnlineSvm<double, MetaDescent> learner(Hinge(c, 1000), MetaDescent(0.7, mu, lambda, 1),
                                           OnlineContext(data, kernel));
    std::vector<double> alpha, beta;
    std::vector<std::uint32_t> members;
    double eta = 0.7;
    const auto product = [&](const std::vector<double>& a, std::uint32_t x) {
      double sum = 0;
      for (std::size_t i = 0; i < members.size(); ++i)
        sum += a[i] * testing::PlainKernel(kernel, data, members[i], data, x);
      return sum;
    };
    for (std::uint32_t t = 0; t < 150; ++t) {
      const double y = data.label(t);
      const double f = product(alpha, t), v = product(beta, t);
      const double xi = y * f <= 1 ? -y : 0;
      double fv = 0;
      for (std::size_t i = 0; i < members.size(); ++i) fv += alpha[i] * product(beta, members[i]);
      eta *= std::max(0.5, 1 - mu * (c * fv + xi * v));
      for (std::size_t i = 0; i < members.size(); ++i) {
        beta[i] = (1 - eta * c) * lambda * beta[i] - eta * c * alpha[i];
        alpha[i] *= 1 - eta * c;
      }
      if (xi != 0) {
        members.push_back(t);
        alpha.push_back(-eta * xi);
        beta.push_back(-eta * xi);
      }
      learner.Step(t);
      REQUIRE(learner.step_size().value() == Approx(eta).epsilon(1e-9));
    }
    REQUIRE(learner.expansion().size() == members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      CHECK(learner.expansion().alpha(i, 0) == Approx(alpha[i]).epsilon(1e-8).margin(1e-14));
      CHECK(learner.expansion().beta(i, 0) == Approx(beta[i]).epsilon(1e-8).margin(1e-14));
    }
  }
}

TEST_CASE("SVMD with mu = 0 equals NORMA with a constant step, with as many kernel evaluations") {
  const Kernel kernel = Kernel::RbfFromGamma(0.05);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto data = testing::RandomDense<float>(400, 8, LabelKind::kMulticlass, 5, seed);
    OnlineSvmOptions options = Hinge(0.01, 60);
    options.loss = "multiclass-hinge";
    OnlineSvm<float, MetaDescent> svmd(options, MetaDescent(0.3, 0, 0.9, 1), OnlineContext(data, kernel));
    OnlineSvm<float, ScheduledStep> norma(options, ScheduledStep(norma::Schedule::kConstant, 0.3, 1, 1),
                                          OnlineContext(data, kernel));
    for (std::uint32_t i = 0; i < 400; ++i) {
      const StepOutcome a = svmd.Step(i), b = norma.Step(i);
      REQUIRE(a.loss == Approx(b.loss).epsilon(1e-10).margin(1e-12));
      REQUIRE(a.mistake == b.mistake);
      REQUIRE(svmd.counts().requested == norma.counts().requested);
      REQUIRE(svmd.counts().computed == norma.counts().computed);
    }
    CHECK(svmd.support_vectors() == 60);
  }
}

}  // namespace
}  // namespace okbench::svmd
