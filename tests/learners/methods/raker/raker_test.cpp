// Raker: steps on one repeated example by hand, the weight of the best kernel, and the saved model.

#include "learners/methods/raker/raker.h"

#include "base/error.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::raker {
namespace {

using Learner = raker::Raker<double>;

raker::Options With(std::size_t kernels, double ratio, std::size_t features, double eta) {
  raker::Options options;
  options.kernels = kernels;
  options.ratio = ratio;
  options.features = features;
  options.eta = eta;
  return options;
}

LearnerContext<double> Context(const Examples<double>& rows, double gamma) {
  return {.train = &rows, .test = &rows, .kernel = Kernel::RbfFromGamma(gamma), .seed = 9};
}

TEST_CASE("Raker: steps on one repeated example by hand") {
  // z_p'z_p = 1 for any frequencies, so all kernels have the same score: f = 0, 0.4, 0.8, 1.2, and the
  // weights stay equal.
  const auto data = Examples<double>::Dense(2, {0.3, -2}, {-1}, LabelKind::kBinary, 2);
  Learner learner(With(4, 10, 5, 0.4), Context(data, 0.5));
  for (const double loss : {1.0, 0.6, 0.2, 0.0, 0.0})
    CHECK(learner.Step(0).loss == Approx(loss).epsilon(1e-12).margin(1e-12));
  CHECK(learner.weight(0, 2) == Approx(0.25));
  CHECK(learner.counts().features == 5 * 4 * 10);
  CHECK(learner.support_vectors() == 0);
  CHECK_THROWS_AS(Learner({}, {.train = &data, .test = nullptr, .kernel = Kernel::Linear()}),
                  InvalidArgument);
}

TEST_CASE("Raker gives most weight to the kernel that fits") {
  // sin(8 x) needs gamma = 10 or so; gamma = 0.01 sees a constant.
  std::vector<double> x, y;
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    x.push_back(2 * random.Uniform() - 1);
    y.push_back(std::sin(8 * x.back()));
  }
  const auto rows = Examples<double>::Regression(1, x, {.targets = y, .truth = y});
  Learner learner(With(3, 30, 100, 0.5), Context(rows, 0.3));
  double squared = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const double error = learner.Step(i).prediction - y[i];
    if (i >= 2000) squared += error * error / 1000;
  }
  CHECK(learner.weight(0, 2) > 0.99);
  CHECK(squared < 0.05);
}

TEST_CASE("Raker: a saved model predicts the same as its learner") {
  for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal}) {
    const auto rows = testing::RandomDense<double>(80, 3, kind, kind == LabelKind::kMulticlass ? 4 : 2, 2);
    raker::Options options = With(3, 10, 20, 0.5);
    options.lambda = 0.01;
    Learner learner(options, Context(rows, 0.4));
    for (std::uint32_t i = 0; i < rows.size(); ++i) learner.Step(i);
    Predictor<double> predictor(std::get<Model<double>>(learner.CurrentModel()));
    const std::size_t outputs = kind == LabelKind::kMulticlass ? 4 : 1;
    std::vector<double> scores(rows.size() * outputs);
    predictor.Predict(rows, scores);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const StepOutcome outcome = learner.Predict(i);
      for (std::size_t r = 0; r < outputs; ++r)
        REQUIRE(scores[i * outputs + r] == Approx(outcome.scores[r]).margin(1e-10));
    }
  }
}

}  // namespace
}  // namespace okbench::raker
