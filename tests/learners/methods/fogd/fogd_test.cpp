// Fourier online gradient descent (FOGD).

#include "learners/methods/fogd/fogd.h"

#include <cmath>

#include "base/error.h"
#include "learners/core/math.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::fogd {
namespace {

using fogd::Fogd;

fogd::Options With(std::size_t features, double eta) {
  fogd::Options options;
  options.features = features;
  options.eta = eta;
  return options;
}

template <class T>
LearnerContext<T> Context(const Examples<T>& train) {
  return {.train = &train, .test = &train, .kernel = Kernel::RbfFromGamma(0.5), .seed = 9};
}

TEST_CASE("FOGD: steps on one repeated example by hand", "[fogd]") {
  // z'z = 1 for any frequencies. Hinge loss: f = 0, a step: w = 0.4 z; then f = 0.4, w = 0.8 z; f = 0.8, w =
  // 1.2 z; f = 1.2: no step. The squared loss with eta = 1/2 and y = 4: f = 0, 2, 3, 3.5.
  const auto data = Examples<double>::Dense(2, {0.3, -2}, {-1}, LabelKind::kBinary, 2);
  Fogd<double> learner(With(5, 0.4), Context(data));
  for (const double loss : {1.0, 0.6, 0.2, 0.0, 0.0})
    CHECK(learner.Step(0).loss == Approx(loss).epsilon(1e-12).margin(1e-12));
  std::vector<double> reported(3);
  learner.Report(reported);
  CHECK(reported == std::vector<double>{10, 50, 3});
  CHECK(learner.Test().mistakes == 0);
  CHECK(learner.counts().measured_features == 10);

  const auto real = Examples<double>::Regression(2, {0.3, -2}, {.targets = {4}, .truth = {4}});
  Fogd<double> regressor(With(5, 0.5), Context(real));
  for (const double f : {0.0, 2.0, 3.0, 3.5}) {
    const StepOutcome outcome = regressor.Step(0);
    CHECK(outcome.prediction == Approx(f).epsilon(1e-12).margin(1e-12));
    CHECK(outcome.loss == Approx((4 - f) * (4 - f) / 2).epsilon(1e-12));
  }
  CHECK(regressor.Test().squared_error == Approx(0.0625).epsilon(1e-12));  // f = 3.75
}

TEST_CASE("FOGD: slopes and insensitive widths of the regression losses by hand", "[fogd]") {
  // y = 2, eta = 1/2. Eps-insensitive loss: its slope is -1 outside the width 0.5, so f = 0, 0.5, 1, 1.5, and
  // 1.5 is not outside. Huber loss, sigma = 1: slope -1 at f = 0 and 0.5, then -(2 - f) from f = 1 on.
  const auto real = Examples<double>::Regression(1, {0.5}, {.targets = {2}, .truth = {2}});
  const auto course = [&](const char* loss, double width) {
    fogd::Options options = With(3, 0.5);
    options.target_loss = loss;
    options.width = width;
    Fogd<double> learner(options, Context(real));
    std::vector<double> f;
    for (int t = 0; t < 5; ++t) f.push_back(learner.Step(0).prediction);
    return f;
  };
  CHECK(course("eps-insensitive", 0.5)[2] == Approx(1));
  CHECK(course("eps-insensitive", 0.6)[4] == Approx(1.5));
  CHECK(course("huber", 1)[3] == Approx(1.5));
  CHECK(course("huber", 1)[4] == Approx(1.75));
}

TEST_CASE("FOGD: average of the weights by hand", "[fogd]") {
  // The squared loss with eta = 1/2 and y = 4 has f = 0, 2, 3, 3.5; their average is 2.125. The hinge loss
  // with eta = 0.4 and y = -1 has -f = 0, 0.4, 0.8, 1.2, 1.2; their average is 0.72. A step without an
  // update counts. The steps are those without `average`.
  fogd::Options options = With(5, 0.5);
  options.average = true;
  const auto real = Examples<double>::Regression(2, {0.3, -2}, {.targets = {4}, .truth = {4}});
  Fogd<double> regressor(options, Context(real));
  CHECK(regressor.Test().squared_error == 16);  // before the first step
  for (const double f : {0.0, 2.0, 3.0, 3.5})
    CHECK(regressor.Step(0).prediction == Approx(f).epsilon(1e-12).margin(1e-12));
  CHECK(regressor.Test().squared_error == Approx((4 - 2.125) * (4 - 2.125)).epsilon(1e-12));

  const auto data = Examples<double>::Dense(2, {0.3, -2}, {-1}, LabelKind::kBinary, 2);
  options.eta = 0.4;
  Fogd<double> learner(options, Context(data));
  for (int t = 0; t < 5; ++t) learner.Step(0);
  Predictor<double> predictor(std::get<Model<double>>(learner.CurrentModel()));
  double score = 0;
  predictor.Predict(data, std::span(&score, 1));
  CHECK(score == Approx(-0.72).epsilon(1e-12));
}

TEST_CASE("FOGD requires an RBF kernel", "[fogd]") {
  const auto data = Examples<double>::Dense(1, {1}, {-1}, LabelKind::kBinary, 2);
  auto context = Context(data);
  context.kernel = Kernel::Polynomial(2, 1, 1);
  CHECK_THROWS_WITH(Fogd<double>({}, context), "random Fourier features need the rbf kernel, without a bias");
}

template <class T>
void RequireModel(const Examples<T>& rows, double tolerance, bool average) {
  fogd::Options options = With(30, 0.5);
  options.average = average;
  Fogd<T> learner(options, Context(rows));
  const auto order = AllRows(rows);
  learner.Announce(order);
  for (const std::uint32_t i : order) learner.Step(i);
  Predictor<T> predictor(std::get<Model<T>>(learner.CurrentModel()));
  const std::size_t outputs = predictor.model().outputs;
  std::vector<double> scores(rows.size() * outputs);
  predictor.Predict(rows, scores);
  CHECK(predictor.counts().measured_features == rows.size() * 60);
  CHECK(predictor.counts().evaluation == 0);
  const TestOutcome test = learner.Test();
  std::size_t mistakes = 0;
  double error = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const double> f = std::span(scores).subspan(i * outputs, outputs);
    if (rows.label_kind() == LabelKind::kReal)
      error += (f[0] - rows.truth(i)) * (f[0] - rows.truth(i));
    else if (outputs == 1)
      mistakes += rows.label(i) * f[0] > 0 ? 0 : 1;
    else
      mistakes += ArgMax(f) == static_cast<std::size_t>(rows.label(i)) ? 0 : 1;
  }
  CHECK(test.mistakes == mistakes);
  CHECK(test.squared_error == Approx(error).epsilon(tolerance));
  const auto narrow = testing::RandomDense<T>(2, 2, LabelKind::kBinary, 2, 2);
  CHECK_THROWS_WITH(predictor.Predict(narrow, scores), "the rows have 2 features, but the model has 3");
}

TEST_CASE("FOGD: a saved model with random features predicts the same as its learner", "[fogd]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const bool average : {false, true}) {
      RequireModel(testing::RandomDense<double>(80, 3, LabelKind::kBinary, 2, seed), 1e-10, average);
      RequireModel(testing::RandomDense<float>(80, 3, LabelKind::kMulticlass, 4, seed), 1e-10, average);
      RequireModel(testing::RandomDense<double>(80, 3, LabelKind::kReal, 2, seed), 1e-10, average);
    }
  Model<double> wrong;
  wrong.components = DrawComponents<double>(Kernel::RbfFromGamma(1), 4, {2}, 1);
  wrong.weights.assign(7, 0.0);
  CHECK_THROWS_AS(Predictor<double>(wrong), InvalidArgument);
}

}  // namespace
}  // namespace okbench::fogd
