// Hedge: weights by hand, and learners that are those of separate runs.

#include "learners/bases/hedge.h"

#include <cmath>

#include "learners/api/model.h"
#include "learners/api/registry.h"
#include "learners/core/math.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::hedge_test {
namespace {

using Given = std::map<std::string, ParameterValue>;

std::vector<HedgedLearner> Learners(const LearnerInfo& info, const std::vector<double>& gammas,
                                    const Given& given) {
  std::vector<HedgedLearner> learners;
  for (const double gamma : gammas)
    learners.push_back({.parameters = ParameterValues::Resolve(info.parameters, given),
                        .kernel = Kernel::RbfFromGamma(gamma)});
  return learners;
}

template <class T>
LearnerContext<T> ContextOf(const Examples<T>& data, double gamma = 1) {
  return {.train = &data, .test = &data, .kernel = Kernel::RbfFromGamma(gamma)};
}

template <class T>
struct Made {
  std::unique_ptr<Learner> learner;
  StreamLearner& stream() { return dynamic_cast<StreamLearner&>(*learner); }
};

template <class T>
Made<T> Hedged(const std::string& name, const std::vector<double>& gammas, const Given& given,
               const Examples<T>& data, const HedgeOptions& options = {}) {
  const LearnerInfo& info = FindLearner(name);
  return {MakeHedge<T>(info, Learners(info, gammas, given), options, ContextOf(data))};
}

TEST_CASE("scores of several models are combined by their weights", "[hedge]") {
  std::vector<double> out(1);
  const std::vector<double> weights = {1, 0.5, 0.25}, scores = {-0.1, 3, 0};
  CombineScores(weights, scores, false, out);  // -1 and +0.5; a score of 0 does not vote
  CHECK(out[0] == (-1 + 0.5) / 1.75);
  CombineScores(weights, scores, true, out);
  CHECK(out[0] == (-0.1 + 0.5 * 3) / 1.75);
  std::vector<double> classes(3);
  const std::vector<double> of_three = {0, 1, 2, 5, 5, 1, -1, -2, -1};
  CombineScores(weights, of_three, false, classes);  // classes 2, 0 and 0
  CHECK(classes == std::vector<double>{0.75 / 1.75, 0, 1 / 1.75});
}

TEST_CASE("the weights of a Hedge by hand", "[hedge]") {
  // Perceptrons on x = 0, 3, 0.5, 3 with labels 1, -1, 1, -1. gamma = 10: no row is near another, but 0 and
  // 0.5. gamma = 0.001: every kernel value is about 1.
  const auto data = Examples<double>::Dense(1, {0, 3, 0.5, 3}, {1, -1, 1, -1}, LabelKind::kBinary, 2);
  auto hedge = Hedged("perceptron", {10, 0.001}, {}, data, {.beta = 0.5, .discounts = {0.1}});
  // Step 1: both scores are 0, nobody votes, both are wrong.
  StepOutcome outcome = hedge.stream().Step(0);
  CHECK(outcome.scores[0] == 0);
  CHECK(outcome.mistake);
  // Step 2: f = e^-90 > 0 and f = e^-.009: both are wrong. The weights stay equal.
  CHECK(hedge.stream().Step(1).scores[0] == 1);
  // Step 3: f = e^-2.5 - e^-62.5 > 0: right. f = e^-.00025 - e^-.00625 > 0: right.
  CHECK(hedge.stream().Step(2).scores[0] == 1);
  // Step 4: f = e^-90 - 1: right. f = e^-.009 - 1 < 0: right.
  CHECK(hedge.stream().Step(3).scores[0] == -1);
  std::vector<double> columns(2);
  hedge.learner->Report(columns);
  CHECK(columns == std::vector<double>{0, 0.5});
}

TEST_CASE("the weights of a Hedge with two discounts by hand", "[hedge]") {
  // Perceptrons on x = 0, 1, 2, 3 with labels 1, 1, 1, -1. gamma = 1000: every kernel value is 0, so f = 0,
  // no vote, and wrong at each step. gamma = 0.001: every kernel value is about 1, so right at steps 2 and 3.
  const auto data = Examples<double>::Dense(1, {0, 1, 2, 3}, {1, 1, 1, -1}, LabelKind::kBinary, 2);
  auto hedge = Hedged("perceptron", {1000, 0.001}, {}, data, {.beta = 0.5, .discounts = {0.5, 0}});
  // The first learner's weights at the two discounts, in units of the second's: 1, 1/2, 2^-1.5, 2^-.75 and
  // 1, 1/2, 1/4, 1/4. Both rates are right and wrong together, so their weights are equal.
  std::vector<double> columns(2);
  const auto leader_weight = [](double a, double b) { return 1 - (a / (1 + a) + b / (1 + b)) / 2; };
  const std::vector<double> expected = {leader_weight(1, 1), leader_weight(0.5, 0.5),
                                        leader_weight(std::pow(2, -1.5), 0.25),
                                        leader_weight(std::pow(2, -0.75), 0.25)};
  for (std::uint32_t step = 0; step < 4; ++step) {
    hedge.stream().Step(step);
    hedge.learner->Report(columns);
    CHECK(columns[1] == Approx(expected[step]).epsilon(1e-14));
  }
  CHECK(columns[0] == 1);
}

TEST_CASE("every learner of a Hedge is the same learner alone, and the weights follow its mistakes",
          "[hedge]") {
  const std::vector<double> gammas = {0.1, 1, 10};
  for (const auto& [name, kind] :
       std::vector<std::pair<std::string, LabelKind>>{{"passive-aggressive", LabelKind::kBinary},
                                                      {"bpas", LabelKind::kMulticlass},
                                                      {"fogd", LabelKind::kBinary},
                                                      {"norma", LabelKind::kReal},
                                                      {"krls", LabelKind::kReal}}) {
    CAPTURE(name);
    const LearnerInfo& info = FindLearner(name);
    Given given;
    if (name == "norma") given = {{"loss", std::string("squared")}};
    if (name == "bpas") given = {{"budget", std::int64_t{9}}};
    const auto data = testing::RandomDense<float>(120, 3, kind, kind == LabelKind::kMulticlass ? 4 : 2, 7);
    const HedgeOptions options{.beta = 0.8, .discounts = {0.05}};
    auto hedge = Hedged(name, gammas, given, data, options);
    std::vector<std::unique_ptr<StreamLearner>> alone;
    for (const double gamma : gammas)
      alone.push_back(info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, given),
                                                 ContextOf(data, gamma)));
    std::vector<double> logs(gammas.size(), 0.0);
    double largest = 0, low = 1e300, high = -1e300;
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      std::vector<double> weights, scores, losses;
      for (std::size_t k = 0; k < gammas.size(); ++k) {
        const StepOutcome result = alone[k]->Step(i);
        weights.push_back(Exp(logs[k]));
        scores.insert(scores.end(), result.scores.begin(), result.scores.end());
        if (kind == LabelKind::kReal && i > 0)
          scores.back() = std::clamp(scores.back(), low - (high - low), high + (high - low));
        losses.push_back(kind == LabelKind::kReal ? std::pow(scores.back() - data.target(i), 2)
                                                  : result.mistake);
        largest = std::max(largest, losses.back());
      }
      std::vector<double> expected(scores.size() / gammas.size());
      CombineScores(weights, scores, kind == LabelKind::kReal, expected);
      const StepOutcome outcome = hedge.stream().Step(i);
      for (std::size_t r = 0; r < expected.size(); ++r)
        REQUIRE(outcome.scores[r] == Approx(expected[r]).margin(1e-12));
      low = std::min(low, data.target(i));
      high = std::max(high, data.target(i));
      const double scale = kind == LabelKind::kReal ? largest : 1;
      for (std::size_t k = 0; k < gammas.size(); ++k)
        logs[k] = 0.95 * logs[k] + std::log(0.8) * losses[k] / scale;
      const double most = *std::max_element(logs.begin(), logs.end());
      for (double& log : logs) log -= most;
    }
    KernelCounts sum;
    for (const auto& learner : alone) {
      sum.requested += learner->counts().requested;
      sum.features += learner->counts().features;
    }
    CHECK(hedge.learner->counts().requested == sum.requested);
    CHECK(hedge.learner->counts().features == sum.features);
    // The model predicts what the learner predicts.
    Predictor<float> predictor(
        std::get<Model<float>>(dynamic_cast<GivesModel&>(*hedge.learner).CurrentModel()));
    const std::size_t outputs = kind == LabelKind::kMulticlass ? 4 : 1;
    std::vector<double> scores(data.size() * outputs);
    predictor.Predict(data, scores);
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      const StepOutcome outcome = hedge.stream().Predict(i);
      for (std::size_t r = 0; r < outputs; ++r)
        CHECK(outcome.scores[r] == Approx(scores[i * outputs + r]).margin(1e-5));
    }
    CHECK(hedge.learner->Test().examples == data.size());
  }
}

TEST_CASE("a learner that diverges leaves the Hedge, and the others go on", "[hedge]") {
  auto data = testing::RandomDense<double>(300, 2, LabelKind::kReal, 2, 1);
  const LearnerInfo& info = FindLearner("norma");
  std::vector<HedgedLearner> learners;
  for (const double eta : {0.1, 1e12})
    learners.push_back(
        {.parameters = ParameterValues::Resolve(info.parameters, {{"loss", std::string("squared")},
                                                                  {"schedule", std::string("constant")},
                                                                  {"eta0", eta},
                                                                  {"c", 1e-14}}),
         .kernel = Kernel::RbfFromGamma(0.1)});
  const auto hedge = MakeHedge<double>(info, learners, {}, ContextOf(data));
  for (std::uint32_t i = 0; i < data.size(); ++i)
    REQUIRE(std::isfinite(dynamic_cast<StreamLearner&>(*hedge).Step(i).loss));
  std::vector<double> columns(2);
  hedge->Report(columns);
  CHECK(columns[0] == 0);
  CHECK(columns[1] > 0.99);
}

TEST_CASE("a Hedge goes on from its saved state", "[hedge]") {
  const auto data = testing::RandomDense<float>(100, 3, LabelKind::kMulticlass, 3, 5);
  auto first = Hedged("bpas", {0.1, 1, 10}, {{"budget", std::int64_t{9}}}, data);
  auto second = Hedged("bpas", {0.1, 1, 10}, {{"budget", std::int64_t{9}}}, data);
  for (std::uint32_t i = 0; i < 50; ++i) first.stream().Step(i);
  Archive writer;
  dynamic_cast<Resumable&>(*first.learner).Serialize(writer);
  Archive reader(writer.bytes());
  dynamic_cast<Resumable&>(*second.learner).Serialize(reader);
  for (std::uint32_t i = 50; i < 100; ++i) {
    const StepOutcome a = first.stream().Step(i);
    const std::vector<double> scores(a.scores.begin(), a.scores.end());
    const StepOutcome b = second.stream().Step(i);
    CHECK(std::vector<double>(b.scores.begin(), b.scores.end()) == scores);
  }
  CHECK(first.learner->counts().requested == second.learner->counts().requested);
}

TEST_CASE("methods that keep rows of the training set cannot be hedged", "[hedge]") {
  const auto data = testing::RandomDense<float>(20, 3, LabelKind::kBinary, 2, 1);
  CHECK_THROWS_AS(Hedged("pegasos", {1, 10}, {}, data), InvalidArgument);
}

TEST_CASE("a Hedge refuses options out of range", "[hedge]") {
  const auto data = testing::RandomDense<float>(10, 2, LabelKind::kBinary, 2, 1);
  for (const HedgeOptions& options :
       {HedgeOptions{.beta = 1}, HedgeOptions{.discounts = {}}, HedgeOptions{.discounts = {0.1, 1}}})
    CHECK_THROWS_AS(Hedged("perceptron", {1, 10}, {}, data, options), InvalidArgument);
}

}  // namespace
}  // namespace okbench::hedge_test
