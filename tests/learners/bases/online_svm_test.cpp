// NORMA and SVMD: cases by hand, and properties that hold on every stream.

#include <catch2/catch.hpp>

#include "learners/api/registry.h"
#include "learners/core/error.h"
#include "learners/methods/norma/norma.h"
#include "learners/methods/svmd/svmd.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using norma::ScheduledStep;
using svmd::MetaDescent;

template <class T>
LearnerContext<T> Context(const Examples<T>& train, const Kernel& kernel) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .lookahead = 48};
}

OnlineSvmOptions Hinge(double c, std::size_t buffer) {
  OnlineSvmOptions options;
  options.loss = "hinge";
  options.c = c;
  options.buffer = buffer;
  return options;
}

// <f, g> and ||f||^2, computed directly from the coefficients with plain kernels.
template <class T>
struct DirectProducts {
  double ff = 0, fv = 0;
  DirectProducts(const CircularExpansion<T>& expansion, const Examples<T>& data, const Kernel& kernel,
                 bool trace) {
    for (std::size_t i = 0; i < expansion.size(); ++i)
      for (std::size_t j = 0; j < expansion.size(); ++j) {
        const double k = testing::PlainKernel(kernel, data, expansion.example(i), data, expansion.example(j));
        for (std::size_t r = 0; r < expansion.outputs(); ++r) {
          ff += expansion.alpha(i, r) * expansion.alpha(j, r) * k;
          if (trace) fv += expansion.alpha(i, r) * expansion.beta(j, r) * k;
        }
      }
  }
};

TEST_CASE("SVMD: two steps by hand, linear kernel in one dimension") {
  // x_1 = 1, y = +1; x_2 = 2, y = -1; c = 0.5, eta_0 = 0.5, mu = 0.1, lambda = 0.9, margin 1. Functions are
  // slopes. Step 1: f = v = 0, xi = -1, eta = 0.5, alpha_1 = beta_1 = 0.5: f = v = 0.5, ||f||^2 = pi = 0.25.
  // Step 2: f(2) = v(2) = 1, xi = +1, <g,v> = 0.5*0.25 + 1 = 1.125, eta = 0.5 (1 - 0.1125) = 0.44375,
  //         D = 0.778125: alpha = (0.3890625, -0.44375), beta_1 = 0.9 D 0.5 - 0.44375*0.5*0.5 = 0.23921875,
  //         beta_2 = -0.44375; f = -0.4984375, v = -0.64828125.
  const auto data = Examples<float>::Dense(1, {1, 2}, {1, -1}, LabelKind::kBinary, 2);
  OnlineSvm<float, MetaDescent> learner(Hinge(0.5, 10), MetaDescent(0.5, 0.1, 0.9, 1),
                                        Context(data, Kernel::Linear()));
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
  MetaDescent linear(2, 0.1, 0.9, 1), exact(2, 0.1, 0.9, 1, true);
  CHECK(linear.Next(view(v)) == Approx(2.05).epsilon(1e-15));
  CHECK(exact.Next(view(v)) == Approx(2 * std::exp(0.025)).epsilon(1e-15));
  // <g, v> = 30: the linear factor stops at 1/2, the exponential continues to fall.
  CHECK(linear.Next(view(far)) == Approx(1.025).epsilon(1e-15));
  CHECK(exact.Next(view(far)) == Approx(2 * std::exp(0.025 - 3)).epsilon(1e-14));
  MetaDescent fixed(1, 0.1, 0.9, 0.7, false, false);
  CHECK((fixed.NextMargin(0.375) == 0.7 && fixed.NextMargin(-5) == 0.7));
}

TEST_CASE("NORMA: step size schedules by hand") {
  const StepView view;
  ScheduledStep decay(norma::Schedule::kSqrtDecay, 2, 3, 1);
  CHECK(decay.Next(view) == 2 * std::sqrt(3.0 / 4));
  CHECK(decay.Next(view) == 2 * std::sqrt(3.0 / 5));
  ScheduledStep inverse(norma::Schedule::kInverseSqrt, 2, 1, 1);
  CHECK(inverse.Next(view) == 2);
  CHECK(inverse.Next(view) == 2 / std::sqrt(2.0));
  ScheduledStep constant(norma::Schedule::kConstant, 2, 1, 1);
  CHECK((constant.Next(view) == 2 && constant.Next(view) == 2));
}

struct Setting {
  const char* loss;
  LabelKind kind;
  int classes;
  double nu;
  bool offset;
};

TEST_CASE("||f||^2 and <f,v> kept incrementally equal the direct sums") {
  const Kernel kernel = Kernel::RbfFromGamma(0.05);
  const Setting settings[] = {{"hinge", LabelKind::kBinary, 2, 0, false},
                              {"hinge", LabelKind::kBinary, 2, 0.2, true},
                              {"novelty", LabelKind::kBinary, 2, 0.2, false},
                              {"logistic", LabelKind::kBinary, 2, 0, true},
                              {"squared", LabelKind::kReal, 2, 0, false},
                              {"huber", LabelKind::kReal, 2, 0.3, true},
                              {"eps-insensitive", LabelKind::kReal, 2, 0.3, false},
                              {"multiclass-hinge", LabelKind::kMulticlass, 4, 0, true},
                              {"multiclass-hinge", LabelKind::kMulticlass, 4, 0.1, false},
                              {"multiclass-logistic", LabelKind::kMulticlass, 4, 0, false}};
  for (const Setting& setting : settings)
    for (const double c : {0.0, 0.01, 1.0})
      for (const double lambda : {0.0, 0.9, 1.0})
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
          const auto data = testing::RandomDense<double>(120, 6, setting.kind, setting.classes, seed);
          OnlineSvmOptions options;
          options.loss = setting.loss;
          options.c = c;
          options.buffer = 200;  // nothing is dropped
          options.nu = setting.nu;
          if (setting.kind == LabelKind::kReal) options.margin_update = AdaptiveMargin::Update::kAdditive;
          options.offset = setting.offset;
          // eta c = 1 in the first step for c = 1: D = 0, the hardest case for lazy factors.
          OnlineSvm<double, MetaDescent> svmd(options, MetaDescent(1.0, 0.1, lambda, 1),
                                              Context(data, kernel));
          OnlineSvm<double, ScheduledStep> norma(
              options, ScheduledStep(norma::Schedule::kSqrtDecay, 1.0, 5, 1), Context(data, kernel));
          for (std::uint32_t i = 0; i < 120; ++i) {
            svmd.Step(i);
            norma.Step(i);
          }
          INFO(setting.loss << " c=" << c << " lambda=" << lambda << " seed=" << seed);
          const DirectProducts<double> s(svmd.expansion(), data, kernel, true);
          CHECK(svmd.squared_norm() == Approx(s.ff).epsilon(1e-8).margin(1e-12));
          CHECK(svmd.step_size().pi() == Approx(s.fv).epsilon(1e-7).margin(1e-10));
          const DirectProducts<double> n(norma.expansion(), data, kernel, false);
          CHECK(norma.squared_norm() == Approx(n.ff).epsilon(1e-8).margin(1e-12));
        }
}

TEST_CASE("SVMD agrees with an eager implementation that uses a full kernel matrix") {
  // Updates each coefficient separately, evaluates v from scratch, and takes the step size from eq. 36: the
  // paper's algorithm, step by step.
  const Kernel kernel = Kernel::RbfFromGamma(0.05);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = testing::RandomDense<double>(150, 5, LabelKind::kBinary, 2, 40 + seed);
    const double c = 0.3, mu = 0.2, lambda = seed == 0 ? 0.0 : 0.95;
    OnlineSvm<double, MetaDescent> learner(Hinge(c, 1000), MetaDescent(0.7, mu, lambda, 1),
                                           Context(data, kernel));
    std::vector<double> alpha, beta;
    std::vector<std::uint32_t> held;
    double eta = 0.7;
    const auto product = [&](const std::vector<double>& a, std::uint32_t x) {
      double sum = 0;
      for (std::size_t i = 0; i < held.size(); ++i)
        sum += a[i] * testing::PlainKernel(kernel, data, held[i], data, x);
      return sum;
    };
    for (std::uint32_t t = 0; t < 150; ++t) {
      const double y = data.label(t);
      const double f = product(alpha, t), v = product(beta, t);
      const double xi = y * f <= 1 ? -y : 0;
      double fv = 0;
      for (std::size_t i = 0; i < held.size(); ++i) fv += alpha[i] * product(beta, held[i]);
      eta *= std::max(0.5, 1 - mu * (c * fv + xi * v));
      for (std::size_t i = 0; i < held.size(); ++i) {
        beta[i] = (1 - eta * c) * lambda * beta[i] - eta * c * alpha[i];
        alpha[i] *= 1 - eta * c;
      }
      if (xi != 0) {
        held.push_back(t);
        alpha.push_back(-eta * xi);
        beta.push_back(-eta * xi);
      }
      learner.Step(t);
      REQUIRE(learner.step_size().value() == Approx(eta).epsilon(1e-9));
    }
    REQUIRE(learner.expansion().size() == held.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
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
    OnlineSvm<float, MetaDescent> svmd(options, MetaDescent(0.3, 0, 0.9, 1), Context(data, kernel));
    OnlineSvm<float, ScheduledStep> norma(options, ScheduledStep(norma::Schedule::kConstant, 0.3, 1, 1),
                                          Context(data, kernel));
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

TEST_CASE("circular buffer keeps the most recent terms with a nonzero coefficient") {
  const auto data = testing::RandomDense<float>(200, 4, LabelKind::kBinary, 2, 9);
  for (const std::size_t buffer : {1U, 2U, 15U, 16U, 17U, 40U}) {
    OnlineSvm<float, ScheduledStep> learner(Hinge(0.1, buffer),
                                            ScheduledStep(norma::Schedule::kConstant, 0.2, 1, 1),
                                            Context(data, Kernel::RbfFromGamma(0.1)));
    std::vector<std::uint32_t> errors;
    for (std::uint32_t i = 0; i < 200; ++i)
      if (learner.Step(i).margin_error) errors.push_back(i);
    REQUIRE(errors.size() > buffer);
    std::vector<std::uint32_t> held,
        expected(errors.end() - static_cast<std::ptrdiff_t>(buffer), errors.end());
    for (std::size_t s = 0; s < learner.support_vectors(); ++s)
      held.push_back(learner.expansion().example(s));
    std::sort(held.begin(), held.end());
    CHECK(held == expected);
  }
}

TEST_CASE("requested evaluations: the support set at each step, plus one per margin error") {
  const auto data = testing::RandomDense<float>(300, 4, LabelKind::kBinary, 2, 10);
  OnlineSvm<float, MetaDescent> learner(Hinge(0.1, 50), MetaDescent(0.5, 0.1, 0.9, 1),
                                        Context(data, Kernel::RbfFromGamma(0.1)));
  std::uint64_t expected = 0;
  for (std::uint32_t i = 0; i < 300; ++i) {
    expected += learner.support_vectors();
    expected += learner.Step(i).margin_error ? 1 : 0;
    REQUIRE(learner.counts().requested == expected);
  }
}

TEST_CASE("kernel perceptron equals NORMA with c = 0, margin 0 and eta = 1") {
  const auto data = testing::RandomDense<double>(200, 3, LabelKind::kBinary, 2, 3);
  OnlineSvmOptions options = Hinge(0, 1000);
  options.margin = 0;
  OnlineSvm<double, ScheduledStep> learner(options, ScheduledStep(norma::Schedule::kConstant, 1, 1, 1),
                                           Context(data, Kernel::Linear()));
  std::vector<double> w(3, 0.0);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const RowView<double> x = data.row(i);
    const double f = w[0] * x.values[0] + w[1] * x.values[1] + w[2] * x.values[2];
    const bool mistake = data.label(i) * f <= 0;
    REQUIRE(learner.Step(i).mistake == mistake);
    if (mistake)
      for (std::size_t f2 = 0; f2 < 3; ++f2) w[f2] += data.label(i) * x.values[f2];
  }
}

TEST_CASE("nu-trick: the fraction of margin errors converges to nu on a stationary stream") {
  const auto data = testing::RandomDense<float>(20000, 4, LabelKind::kBinary, 2, 77);
  for (const double nu : {0.05, 0.2}) {
    OnlineSvmOptions options = Hinge(0.01, 400);
    options.loss = "novelty";
    options.nu = nu;
    options.margin_update = AdaptiveMargin::Update::kAdditive;
    OnlineSvm<float, ScheduledStep> learner(options, ScheduledStep(norma::Schedule::kInverseSqrt, 1, 1, 1),
                                            Context(data, Kernel::RbfFromGamma(0.2)));
    int errors = 0;
    for (std::uint32_t i = 0; i < 20000; ++i) errors += learner.Step(i).margin_error && i >= 10000 ? 1 : 0;
    CHECK(errors / 10000.0 > nu / 2);
    CHECK(errors / 10000.0 < nu * 2);
  }
}

TEST_CASE("the trace of a learner does not depend on the look-ahead") {
  const auto data = testing::RandomDense<float>(500, 20, LabelKind::kMulticlass, 10, 4);
  const LearnerInfo& info = FindLearner("svmd");
  const auto values = ParameterValues::Resolve(
      info.parameters,
      {{"loss", std::string("multiclass-hinge")}, {"buffer", std::int64_t{70}}, {"c", 0.01}});
  std::vector<double> reference;
  for (const std::size_t tile : {1U, 2U, 7U, 48U, 64U, 600U}) {
    LearnerContext<float> context = Context(data, Kernel::RbfFromGamma(0.02));
    context.lookahead = tile;
    const auto learner = info.MakeAs<StreamLearner>(values, context);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < 500; ++i) order.push_back(499 - i);
    learner->Announce(order);
    std::vector<double> trace, report(learner->Columns().size());
    for (const std::uint32_t i : order) {
      trace.push_back(learner->Step(i).loss);
      learner->Report(report);
      trace.insert(trace.end(), report.begin(), report.end());
      trace.push_back(static_cast<double>(learner->counts().requested));
    }
    if (reference.empty()) reference = trace;
    REQUIRE(trace == reference);
  }
}

TEST_CASE("test errors equal one-by-one predictions, and count as evaluation cost only") {
  const auto train = testing::RandomDense<float>(300, 6, LabelKind::kMulticlass, 3, 1);
  const auto test = testing::RandomDense<float>(700, 6, LabelKind::kMulticlass, 3, 2);
  const Kernel kernel = Kernel::RbfFromGamma(0.1);
  OnlineSvmOptions options = Hinge(0.001, 100);
  options.loss = "multiclass-hinge";
  options.offset = true;
  LearnerContext<float> context = Context(train, kernel);
  context.test = &test;
  OnlineSvm<float, MetaDescent> learner(options, MetaDescent(0.2, 0.1, 0.9, 1), context);
  for (std::uint32_t i = 0; i < 300; ++i) learner.Step(i);
  const KernelCounts before = learner.counts();
  const TestOutcome outcome = learner.Test();
  CHECK(outcome.examples == 700);
  CHECK(learner.counts().requested == before.requested);
  CHECK(learner.counts().computed == before.computed);
  CHECK(learner.counts().evaluation == 700 * learner.support_vectors());
  std::size_t mistakes = 0;
  for (std::size_t i = 0; i < 700; ++i) {
    std::vector<double> scores(learner.offsets().begin(), learner.offsets().end());
    for (std::size_t s = 0; s < learner.support_vectors(); ++s)
      for (std::size_t r = 0; r < 3; ++r)
        scores[r] += learner.expansion().alpha(s, r) *
                     testing::PlainKernel(kernel, train, learner.expansion().example(s), test, i);
    mistakes += ArgMax(scores) != static_cast<std::size_t>(test.label(i)) ? 1 : 0;
  }
  CHECK(outcome.mistakes == mistakes);
}

TEST_CASE("parameters out of range are rejected, and the message states the allowed range") {
  const auto& table = FindLearner("svmd").parameters;
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"buffer", std::int64_t{-5}}}), Catch::Contains(">= 1"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"buffer", 5.5}}), Catch::Contains("integer"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"lambda", 1.5}}), Catch::Contains("<= 1"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"eta0", 0.0}}), Catch::Contains("> 0"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"bufer", std::int64_t{5}}}),
                    Catch::Contains("did you mean buffer"));
  CHECK_THROWS_WITH(FindLearner("svmdd"), Catch::Contains("did you mean svmd"));
  const auto logistic = ParameterValues::Resolve(table, {{"loss", std::string("logistic")}, {"nu", 0.1}});
  CHECK_THROWS_WITH(FindLearner("svmd").Make(logistic, LearnerContext<float>{}), Catch::Contains("has none"));
}

}  // namespace
}  // namespace okbench
