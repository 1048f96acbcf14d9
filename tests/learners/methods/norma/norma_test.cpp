// NORMA as in norma-2001: regression, averaged hypotheses, truncation, and its regret bounds.

#include "learners/methods/norma/norma.h"

#include <algorithm>

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/methods/hindsight/hindsight.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::norma {
namespace {

using hindsight::Hindsight;
using norma::AveragedStep;
using norma::Schedule;
using norma::ScheduledStep;

template <class T>
LearnerContext<T> Context(const Examples<T>& train, const Kernel& kernel) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .steps = train.size()};
}

ScheduledStep Constant(double eta) { return {Schedule::kConstant, eta, 1, 1}; }

// x = 2, 2, 2, ... in one dimension with the linear kernel, so that k = 4 always.
Examples<double> Twos(std::vector<double> targets) {
  std::vector<double> values(targets.size(), 2.0);
  return Examples<double>::Regression(1, std::move(values), {.targets = std::move(targets), .truth = {}});
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

TEST_CASE("NORMA regression: squared loss by hand") {
  // d = 3: alpha_1 = 0.1 * 3, f(2) = 0.3 * 4 = 1.2. Then d = 3 - 1.2 = 1.8: alpha_2 = 0.18, f(2) = 1.92.
  const auto data = Twos({3, 3, 0});
  OnlineSvmOptions options;
  options.loss = "squared";
  OnlineSvm<double, ScheduledStep> learner(options, Constant(0.1), Context(data, Kernel::Linear()));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.loss == 4.5 && outcome.prediction == 0 && !outcome.mistake && !outcome.margin_error));
  outcome = learner.Step(1);
  CHECK(outcome.prediction == Approx(1.2).epsilon(1e-15));
  CHECK(outcome.loss == Approx(1.62).epsilon(1e-15));
  CHECK(learner.Step(2).prediction == Approx(1.92).epsilon(1e-15));
  CHECK(learner.expansion().alpha(2, 0) == Approx(-0.192).epsilon(1e-15));
}

TEST_CASE("NORMA regression: a tube adapted by the nu-trick, by hand") {
  // d = 3 > 1: alpha_1 = 0.1, f(2) = 0.4, eps = 1 + 0.1 (1 - 0.25) = 1.075. Then d = 0.1 is inside: no term,
  // eps = 1.075 - 0.1 * 0.25 = 1.05. Loss 3 - 1 + 0.25 * 1.
  const auto data = Twos({3, 0.5, 0.5});
  OnlineSvmOptions options;
  options.loss = "eps-insensitive";
  options.nu = 0.25;
  options.margin_update = AdaptiveMargin::Update::kAdditive;
  OnlineSvm<double, ScheduledStep> learner(options, Constant(0.1), Context(data, Kernel::Linear()));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.loss == 2.25 && outcome.margin_error));
  CHECK(learner.margin() == Approx(1.075).epsilon(1e-15));
  outcome = learner.Step(1);
  CHECK((outcome.prediction == Approx(0.4).epsilon(1e-15) && !outcome.margin_error));
  CHECK(learner.margin() == Approx(1.05).epsilon(1e-15));
  CHECK(learner.support_vectors() == 1);
}

TEST_CASE("NORMA regression: a trimmed mean by hand, whose tube width stays positive") {
  // sigma = 0.5. d = 3 is outside: alpha = 0.8, sigma = 0.5 + 0.8 * 0.5 = 0.9. f(2) = 3.2, d = -0.2 is
  // inside: alpha = 0.8 * (-0.2) / 0.9, and sigma steps to 0.9 - 0.4 = 0.5. Inside again: 0.5 - 0.4 < 0.5 / 2
  // = 0.25.
  const auto data = Twos({3, 3, 3});
  OnlineSvmOptions options;
  options.loss = "huber";
  options.margin = 0.5;
  options.nu = 0.5;
  options.margin_update = AdaptiveMargin::Update::kAdditive;
  OnlineSvm<double, ScheduledStep> learner(options, Constant(0.8), Context(data, Kernel::Linear()));
  CHECK(learner.Step(0).loss == Approx(3 - 0.25 + 0.25).epsilon(1e-15));
  CHECK(learner.margin() == Approx(0.9).epsilon(1e-15));
  CHECK(learner.Step(1).prediction == Approx(3.2).epsilon(1e-15));
  CHECK(learner.margin() == Approx(0.5).epsilon(1e-15));
  CHECK(learner.expansion().alpha(1, 0) == Approx(-0.16 / 0.9).epsilon(1e-13));
  const StepOutcome outcome = learner.Step(2);
  CHECK(outcome.prediction == Approx(3.2 - 0.64 / 0.9).epsilon(1e-13));
  CHECK(outcome.margin_error);  // 3.2 - 0.711 = 2.489, d = 0.511
  AdaptiveMargin tube(0.5, 0.5, AdaptiveMargin::Update::kAdditive, LossParameter::kTube);
  tube.Step(0, 0.8);
  CHECK(tube.value() == 0.25);
  CHECK(tube.LossTerm() == 0.125);
  for (int i = 0; i < 2000; ++i) tube.Step(0, 0.8);
  CHECK(tube.value() == 1e-12);  // the minimum width
}

TEST_CASE("NORMA: the fraction of points outside the tube converges to nu, for both estimators") {
  const auto data = testing::RandomDense<double>(20000, 3, LabelKind::kReal, 2, 5);
  for (const char* loss : {"eps-insensitive", "huber"})
    for (const double nu : {0.1, 0.5}) {
      OnlineSvmOptions options;
      options.loss = loss;
      options.buffer = 300;
      options.c = 0.01;
      options.nu = nu;
      options.margin_update = AdaptiveMargin::Update::kAdditive;
      OnlineSvm<double, ScheduledStep> learner(options, Constant(0.05),
                                               Context(data, Kernel::RbfFromGamma(0.3)));
      int outside = 0;
      for (std::uint32_t i = 0; i < data.size(); ++i)
        outside += learner.Step(i).margin_error && i >= 10000 ? 1 : 0;
      CHECK(outside / 10000.0 == Approx(nu).margin(0.02));
    }
}

TEST_CASE("NORMA averages: norm, products and scores equal the plain average") {
  const Kernel kernel = Kernel::RbfFromGamma(0.1);
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    // eta_0 c = 1: the hypothesis shrinks by e^-20, which would break a lazily scaled average.
    for (const double c : {0.0, 0.1, 2.0}) {
      const auto data = testing::RandomDense<double>(100, 4, LabelKind::kBinary, 2, seed);
      OnlineSvmOptions options;
      options.loss = "hinge";
      options.c = c;
      options.buffer = 100;
      LearnerContext<double> context = Context(data, kernel);
      context.test = &data;
      const ScheduledStep step(Schedule::kInverseSqrt, c > 0 ? 1 / c : 1, 1, 1);
      OnlineSvm<double, AveragedStep> averaged(options, AveragedStep(step), context);
      OnlineSvm<double, ScheduledStep> plain(options, step, context);
      std::vector<double> average(100, 0.0);  // coefficients of 1/t sum f_i, by example
      for (std::uint32_t i = 0; i < 100; ++i) {
        std::vector<double> before(100, 0.0);
        for (std::size_t s = 0; s < plain.expansion().size(); ++s)
          before[plain.expansion().example(s)] = plain.expansion().alpha(s, 0);
        for (std::size_t j = 0; j < 100; ++j) average[j] += (before[j] - average[j]) / (i + 1);
        CHECK(plain.Step(i).loss == averaged.Step(i).loss);
      }
      double norm = 0, loss = 0;
      std::size_t mistakes = 0;
      for (std::size_t i = 0; i < 100; ++i) {
        double f = 0;
        for (std::size_t j = 0; j < 100; ++j)
          f += average[j] * testing::PlainKernel(kernel, data, i, data, j);
        norm += average[i] * f;
        loss += std::max(0.0, 1 - data.label(i) * f) / 100;
        mistakes += data.label(i) * f <= 0 ? 1 : 0;
      }
      CHECK(averaged.step_size().average_squared_norm() == Approx(norm).epsilon(1e-9));
      const TestOutcome outcome = averaged.Test();
      CHECK(outcome.mistakes == mistakes);
      CHECK(outcome.mean_loss.value() == Approx(loss).epsilon(1e-9));
      CHECK(outcome.regularised_risk.value() == Approx(loss + c / 2 * norm).epsilon(1e-9));
      CHECK(averaged.counts().requested == plain.counts().requested);
    }
}

TEST_CASE("proposition 1: buffer length by hand, and the actual truncation error") {
  // c = 0.5, eta = 0.5: each step keeps 0.75. slope / c = 2; 2 * 0.75^n <= 1 from n = 3 on (0.84).
  CHECK(norma::TruncationBuffer(Schedule::kConstant, 0.5, 1, 0.5, 1, 1000, 1) == 3);
  CHECK(norma::TruncationBuffer(Schedule::kConstant, 0.5, 1, 0.5, 1, 2, 1) == 2);
  CHECK(norma::TruncationBuffer(Schedule::kConstant, 0.5, 1, 0.5, 1, 1000, 100) == 1);
  const Kernel kernel = Kernel::RbfFromGamma(0.1);
  for (const Schedule schedule : {Schedule::kConstant, Schedule::kInverseSqrt, Schedule::kSqrtDecay})
    for (const double error : {0.5, 0.05}) {
      const auto data = testing::RandomDense<double>(400, 4, LabelKind::kBinary, 2, 9);
      // Novelty detection with a margin that is never reached: a term in each step, all of one sign, the
      // worst case.
      OnlineSvmOptions options;
      options.loss = "novelty";
      options.margin = 100;
      options.c = 0.2;
      const ScheduledStep step(schedule, 1.5, 20, 1);
      options.buffer = 1000;
      OnlineSvm<double, ScheduledStep> whole(options, step, Context(data, kernel));
      options.buffer = norma::TruncationBuffer(schedule, 1.5, 20, 0.2, 1, 400, error);
      OnlineSvm<double, ScheduledStep> cut(options, step, Context(data, kernel));
      CHECK(options.buffer < 400);
      for (std::uint32_t i = 0; i < 400; ++i) {
        whole.Step(i);
        cut.Step(i);
      }
      // The dropped terms: those of `whole` that `cut` lacks.
      std::vector<double> dropped(400, 0.0);
      for (std::size_t s = 0; s < whole.expansion().size(); ++s)
        dropped[whole.expansion().example(s)] += whole.expansion().alpha(s, 0);
      for (std::size_t s = 0; s < cut.expansion().size(); ++s) dropped[cut.expansion().example(s)] = 0;
      double norm = 0;
      for (std::size_t i = 0; i < 400; ++i)
        for (std::size_t j = 0; j < 400; ++j)
          if (dropped[i] != 0 && dropped[j] != 0)
            norm += dropped[i] * dropped[j] * testing::PlainKernel(kernel, data, i, data, j);
      CHECK(norm > 0);
      CHECK(std::sqrt(norm) <= error);
    }
}

TEST_CASE("proposition 1: unmet conditions of its proof are rejected") {
  const LearnerInfo& info = FindLearner("norma");
  const auto data = testing::RandomDense<float>(50, 3, LabelKind::kBinary, 2, 1);
  const auto real = testing::RandomDense<float>(50, 3, LabelKind::kReal, 2, 1);
  const auto make = [&](const Examples<float>& examples, const Kernel& kernel, const char* loss, double c,
                        double eta0) {
    return info.Make(ParameterValues::Resolve(
                         info.parameters,
                         {{"loss", std::string(loss)}, {"c", c}, {"eta0", eta0}, {"truncation_error", 0.1}}),
                     Context(examples, kernel));
  };
  const Kernel rbf = Kernel::RbfFromGamma(1);
  CHECK_NOTHROW(make(data, rbf, "hinge", 0.5, 1));
  CHECK_THROWS_WITH(make(data, Kernel::Linear(), "hinge", 0.5, 1), Catch::Contains("k(x, x) = 1"));
  CHECK_THROWS_WITH(make(data, rbf, "hinge", 0, 1), Catch::Contains("c > 0"));
  CHECK_THROWS_WITH(make(data, rbf, "hinge", 2, 1), Catch::Contains("eta0 c <= 1"));
  CHECK_THROWS_WITH(make(real, rbf, "squared", 0.5, 1), Catch::Contains("bounded derivative"));
}

// A stream with overlapping classes on which a learned hypothesis is much better than 0.
Examples<double> TwoClouds(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < rows; ++i) {
    labels.push_back(random.Below(2) == 0 ? -1 : 1);
    for (int f = 0; f < 3; ++f) values.push_back(random.Normal() + 1.5 * labels.back());
  }
  return Examples<double>::Dense(3, std::move(values), std::move(labels), LabelKind::kBinary, 2);
}

TEST_CASE("theorems 1 and 2: the regret against the best hypothesis in hindsight is below its bound") {
  const Kernel kernel = Kernel::RbfFromGamma(0.05);  // k(x, x) = 1
  const std::size_t m = 1000;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const double c : {0.01, 1.0}) {
      const auto data = TwoClouds(m, seed);
      Hindsight<double> best({.c = c, .margin = 1, .tolerance = 1e-6}, Context(data, kernel));
      best.Announce({});
      const double norm = std::sqrt(best.squared_norm());
      const double u = 1 / c;  // bounds every ||f_t||, and ||g||
      REQUIRE(norm <= u);
      for (std::uint32_t i = 0; i < m; ++i) best.Step(i);
      double report[3] = {0, 0, 0};
      best.Report(report);
      const double root = std::sqrt(static_cast<double>(m));
      const auto regret = [&](const ScheduledStep& step) {
        OnlineSvmOptions options;
        options.loss = "hinge";
        options.c = c;
        options.buffer = m;
        OnlineSvm<double, ScheduledStep> learner(options, step, Context(data, kernel));
        for (std::uint32_t i = 0; i < m; ++i) learner.Step(i);
        return learner.risk_sum() - report[1];
      };
      INFO("seed " << seed << " c " << c);
      CHECK(regret(Constant(norm / (2 * root))) <= 2 * norm * root);
      // For c = 0.01 the bound is not vacuous: the zero hypothesis, with loss 1 per example, would exceed it.
      if (c < 1) CHECK(static_cast<double>(m) - report[1] > 2 * norm * root);
      CHECK(regret({Schedule::kInverseSqrt, u, 1, 1}) <= (4 * u + 2 * u) * root + u / 2);
    }
}

TEST_CASE("averages require a complete buffer, and truncation the length of the stream") {
  const LearnerInfo& info = FindLearner("norma");
  const auto data = testing::RandomDense<float>(50, 3, LabelKind::kBinary, 2, 1);
  const auto make = [&](std::map<std::string, ParameterValue> values, std::size_t steps) {
    values["loss"] = std::string("hinge");
    LearnerContext<float> context = Context(data, Kernel::RbfFromGamma(1));
    context.steps = steps;
    return info.Make(ParameterValues::Resolve(info.parameters, values), context);
  };
  CHECK_NOTHROW(make({{"average", true}, {"buffer", std::int64_t{50}}}, 50));
  CHECK_THROWS_WITH(make({{"average", true}, {"buffer", std::int64_t{49}}}, 50),
                    Catch::Contains("buffer >= 50"));
  CHECK_THROWS_WITH(make({{"average", true}, {"offset", true}}, 50), Catch::Contains("without an offset"));
  CHECK_THROWS_WITH(make({{"average", true}, {"c", 0.1}, {"truncation_error", 0.1}}, 50),
                    Catch::Contains("every term"));
  CHECK_THROWS_WITH(make({{"c", 0.1}, {"truncation_error", 0.1}}, 0),
                    Catch::Contains("length of the stream"));
}

TEST_CASE("every learner accepts some kind of label, and rejects the others with one line") {
  const Examples<float> sets[] = {testing::RandomDense<float>(30, 2, LabelKind::kBinary, 2, 1),
                                  testing::RandomDense<float>(30, 2, LabelKind::kMulticlass, 3, 1),
                                  testing::RandomDense<float>(30, 2, LabelKind::kReal, 2, 1)};
  for (const LearnerInfo& info : Learners()) {
    INFO(info.name);
    std::vector<LabelKind> named = info.labels;  // without those of components
    std::erase(named, LabelKind::kStructured);
    for (const Kernel& kernel : {Kernel::Linear(), Kernel::RbfFromGamma(1)}) {
      std::size_t taken = 0;
      for (const auto& set : sets) {
        LearnerContext<float> context = Context(set, kernel);
        context.batch = 5;
        try {
          info.Make(ParameterValues::Resolve(info.parameters, {}), context);
          CHECK(std::find(named.begin(), named.end(), set.label_kind()) != named.end());
          ++taken;
        } catch (const InvalidArgument& error) {
          CHECK((Catch::Contains("labels").match(error.what()) ||
                 Catch::Contains("kernel").match(error.what())));
        }
      }
      // Accepts all its kinds, or one kind because of its default loss, or none because of the kernel.
      const bool refused = taken == 0;
      const auto is_loss = [](const Parameter& p) { return p.name == "loss"; };
      const bool of_loss = std::any_of(info.parameters.begin(), info.parameters.end(), is_loss) && taken == 1;
      CHECK((refused || of_loss || taken == named.size()));
    }
  }
  const LearnerInfo& norma = FindLearner("norma");
  for (const LossInfo& loss : Losses())
    for (const auto& set : sets) {
      const bool fits = loss.labels == LabelKindName(set.label_kind()) ||
                        (loss.labels == "any" && set.label_kind() != LabelKind::kReal);
      const LabelTree tree = LabelTree::Flat(3);
      const std::vector<std::string> edges = {"a b 1", "b c 1"}, names = {"a", "b", "c"};
      const LabelGraph graph(edges, names);
      const auto make = [&] {
        LearnerContext<float> context = Context(set, Kernel::RbfFromGamma(1));
        if (loss.name == "graph-hinge")
          context.graph = &graph;
        else
          context.tree = &tree;
        return norma.MakeAs<StreamLearner>(ParameterValues::Resolve(norma.parameters, {{"loss", loss.name}}),
                                           context);
      };
      if (fits)
        CHECK_NOTHROW(make()->Step(0));
      else
        CHECK_THROWS_AS(make(), InvalidArgument);
    }
}

}  // namespace
}  // namespace okbench::norma
