// Linear passive-aggressive: cases by hand, and the kernel learner that has the same functions.

#include "learners/methods/linear_passive_aggressive/linear_passive_aggressive.h"

#include "learners/methods/passive_aggressive/passive_aggressive.h"
#include "tests/learners/function_learners.h"

namespace okbench::linear_passive_aggressive {
namespace {

using Learner = LinearPassiveAggressive<double>;

LearnerContext<double> Context(const Examples<double>& train, const Kernel& kernel) {
  return {.train = &train, .test = &train, .kernel = kernel};
}

Model<double> ModelOf(const Learner& learner) { return std::get<Model<double>>(learner.CurrentModel()); }

TEST_CASE("linear passive-aggressive: five steps by hand") {
  // x = 2, 1, 3, C = 0.4. w = 0: loss 1, x^2 = 4, tau = 1/4, w = 1/2. f(1) = 1/2: loss 1/2, tau = min(0.4,
  // 1/2), w = 0.9. f(3) = 2.7 against y = -1: loss 3.7, tau = min(0.4, 3.7 / 9), w = -0.3. x = 0 changes
  // nothing. f(-1) = 0.3 has loss 0.7: tau = 0.4, w = -0.7. f(-2) = 1.4 has no loss.
  const auto data = testing::Binary(1, {2, 1, 3, 0, -1, -2}, {1, 1, -1, 1, 1, 1});
  Learner learner({.c = 0.4}, Context(data, Kernel::Linear()));
  const double scores[] = {0, 0.5, 2.7, 0, 0.3, 1.4}, losses[] = {1, 0.5, 3.7, 1, 0.7, 0};
  const double weights[] = {0.5, 0.9, -0.3, -0.3, -0.7, -0.7};
  for (std::uint32_t i = 0; i < 6; ++i) {
    const StepOutcome outcome = learner.Step(i);
    CHECK(outcome.prediction == Approx(scores[i]).margin(1e-15));
    CHECK(outcome.loss == Approx(losses[i]).margin(1e-15));
    CHECK(outcome.mistake == (i == 0 || i == 2 || i == 3));
    CHECK(ModelOf(learner).weights[0] == Approx(weights[i]));
  }
  // One weight; six scores, and the norm of five rows with a loss; four updates.
  std::vector<double> reported(3);
  learner.Report(reported);
  CHECK(reported == std::vector<double>{1, 11, 4});
  CHECK(learner.counts().requested == 0);
  CHECK(learner.support_vectors() == 0);
}

TEST_CASE("linear passive-aggressive: several classes with an intercept, by hand") {
  // k(x, x') = <x, x'> + 1, C = 1. (1, 0) of class 0: losses 1, k = 2, tau = 1/2: w = (1/2, 0), (-1/2, 0),
  // (-1/2, 0) and o = 1/2, -1/2, -1/2. (1, 1) of class 1: scores 1, -1, -1: losses 2, 2 and 0, k = 3, tau =
  // 2/3: w_0 = (-1/6, -2/3), o_0 = -1/6, w_1 = (1/6, 2/3), o_1 = 1/6.
  const auto data = Examples<double>::Dense(2, {1, 0, 1, 1}, {0, 1}, LabelKind::kMulticlass, 3);
  Learner learner({}, Context(data, Kernel::Polynomial(1, 1, 1)));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.loss == 3 && !outcome.mistake));  // ties go to the lowest class, which is correct
  outcome = learner.Step(1);
  CHECK((outcome.loss == 4 && outcome.mistake));
  const std::vector<double> weights = {-1.0 / 6, -2.0 / 3, 1.0 / 6, 2.0 / 3, -0.5, 0};
  const std::vector<double> offsets = {-1.0 / 6, 1.0 / 6, -0.5};
  const Model<double> model = ModelOf(learner);
  for (std::size_t i = 0; i < 6; ++i) CHECK(model.weights.at(i) == Approx(weights[i]));
  for (std::size_t r = 0; r < 3; ++r) CHECK(model.offsets.at(r) == Approx(offsets[r]));
  std::vector<double> reported(3);
  learner.Report(reported);
  CHECK(reported == std::vector<double>{3, 3 + 1 + 3 + 1, 5});
}

// Compares the scores of every step, and of the model, with those of the kernel learner.
template <class Rows>
void RequireKernelLearner(const Rows& data, const Kernel& kernel, double c) {
  Learner learner({.c = c}, Context(data, kernel));
  const auto functions =
      testing::MakeFunctions<passive_aggressive::Method>("passive-aggressive", {{"C", c}}, data, kernel);
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const StepOutcome before = learner.Predict(i), plain = functions->Step(i);
    const StepOutcome outcome = learner.Step(i);
    REQUIRE(outcome.scores.size() == plain.scores.size());
    for (std::size_t r = 0; r < plain.scores.size(); ++r)
      REQUIRE(outcome.scores[r] == Approx(plain.scores[r]).epsilon(1e-9).margin(1e-9));
    REQUIRE(outcome.loss == Approx(plain.loss).epsilon(1e-9).margin(1e-9));
    REQUIRE((before.loss == outcome.loss && before.mistake == outcome.mistake));
  }
  Predictor<double> predictor(ModelOf(learner));
  const std::size_t outputs = predictor.model().outputs;
  std::vector<double> scores(data.size() * outputs), row(outputs);
  predictor.Predict(data, scores);
  CHECK(learner.Test().scores == scores);
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    REQUIRE(learner.ScoreRow(i, row));
    REQUIRE(std::equal(row.begin(), row.end(), scores.begin() + i * outputs));
  }
  CHECK(learner.counts().measured_features == 3 * data.size() * outputs);
}

TEST_CASE("linear passive-aggressive has the functions of the kernel learner") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const Kernel& kernel :
         {Kernel::Linear(), Kernel::Polynomial(1, 1, 1), Kernel::Polynomial(1, 3, 0.5)}) {
      Kernel biased = kernel;
      biased.bias = 0.25;
      for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass}) {
        const auto data = testing::RandomDense<double>(60, 4, kind, kind == LabelKind::kBinary ? 2 : 5, seed);
        RequireKernelLearner(data, kernel, 0.05);
        RequireKernelLearner(data.WithWeights(std::vector<double>(60, 0.5)), biased, 0.1);
      }
    }
}

TEST_CASE("linear passive-aggressive: dense and sparse rows give the same bits") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto [dense, sparse] = testing::DenseAndSparse<double>(60, 30, 0.2, seed == 2, seed);
    Learner first({.c = 0.1}, Context(dense, Kernel::Linear()));
    Learner second({.c = 0.1}, Context(sparse, Kernel::Linear()));
    for (std::uint32_t i = 0; i < dense.size(); ++i) REQUIRE(first.Step(i).loss == second.Step(i).loss);
    CHECK(ModelOf(first).weights == ModelOf(second).weights);
  }
}

TEST_CASE("linear passive-aggressive requires a linear kernel") {
  const auto data = testing::Binary(1, {1}, {1});
  for (const Kernel& kernel : {Kernel::RbfFromGamma(1), Kernel::Polynomial(2, 1, 1)})
    CHECK_THROWS_WITH(
        Learner({}, Context(data, kernel)),
        "linear-passive-aggressive is a linear method: kernel.name must be linear, or gamma_factor 0");
}

}  // namespace
}  // namespace okbench::linear_passive_aggressive
