// NORMA and SVMD: properties that hold on every stream.

#include "tests/learners/online_svm.h"

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/methods/norma/norma.h"
#include "learners/methods/svmd/svmd.h"
#include "tests/catch.h"

namespace okbench::online_svm_test {
namespace {

using norma::ScheduledStep;
using svmd::MetaDescent;
using testing::Hinge;
using testing::OnlineContext;

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
                                              OnlineContext(data, kernel));
          OnlineSvm<double, ScheduledStep> norma(
              options, ScheduledStep(norma::Schedule::kSqrtDecay, 1.0, 5, 1), OnlineContext(data, kernel));
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

TEST_CASE("circular buffer keeps the most recent terms with a nonzero coefficient") {
  const auto data = testing::RandomDense<float>(200, 4, LabelKind::kBinary, 2, 9);
  for (const std::size_t buffer : {1U, 2U, 15U, 16U, 17U, 40U}) {
    OnlineSvm<float, ScheduledStep> learner(Hinge(0.1, buffer),
                                            ScheduledStep(norma::Schedule::kConstant, 0.2, 1, 1),
                                            OnlineContext(data, Kernel::RbfFromGamma(0.1)));
    std::vector<std::uint32_t> errors;
    for (std::uint32_t i = 0; i < 200; ++i)
      if (learner.Step(i).margin_error) errors.push_back(i);
    REQUIRE(errors.size() > buffer);
    std::vector<std::uint32_t> members,
        expected(errors.end() - static_cast<std::ptrdiff_t>(buffer), errors.end());
    for (std::size_t s = 0; s < learner.support_vectors(); ++s)
      members.push_back(learner.expansion().example(s));
    std::sort(members.begin(), members.end());
    CHECK(members == expected);
  }
}

TEST_CASE("requested evaluations: the support set at each step, plus one per margin error") {
  const auto data = testing::RandomDense<float>(300, 4, LabelKind::kBinary, 2, 10);
  OnlineSvm<float, MetaDescent> learner(Hinge(0.1, 50), MetaDescent(0.5, 0.1, 0.9, 1),
                                        OnlineContext(data, Kernel::RbfFromGamma(0.1)));
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
                                           OnlineContext(data, Kernel::Linear()));
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
                                            OnlineContext(data, Kernel::RbfFromGamma(0.2)));
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
    LearnerContext<float> context = OnlineContext(data, Kernel::RbfFromGamma(0.02));
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
  LearnerContext<float> context = OnlineContext(train, kernel);
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
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"trace_decay", 1.5}}), Catch::Contains("<= 1"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"eta0", 0.0}}), Catch::Contains("> 0"));
  CHECK_THROWS_WITH(ParameterValues::Resolve(table, {{"bufer", std::int64_t{5}}}),
                    Catch::Contains("did you mean buffer"));
  CHECK_THROWS_WITH(FindLearner("svmdd"), Catch::Contains("did you mean svmd"));
  const auto logistic = ParameterValues::Resolve(table, {{"loss", std::string("logistic")}, {"nu", 0.1}});
  CHECK_THROWS_WITH(FindLearner("svmd").Make(logistic, LearnerContext<float>{}), Catch::Contains("has none"));
}

}  // namespace
}  // namespace okbench::online_svm_test
