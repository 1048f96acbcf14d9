// Baselines: predictions by hand.

#include "learners/bases/baseline.h"

#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::baseline_test {
namespace {

std::unique_ptr<StreamLearner> Make(const std::string& name, const Examples<float>& data) {
  const LearnerInfo& info = FindLearner(name);
  return info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, {}),
                                    LearnerContext<float>{.train = &data, .test = &data, .kernel = {}});
}

Examples<float> Rows(std::vector<std::int32_t> labels, LabelKind kind, int classes) {
  return Examples<float>::Dense(1, std::vector<float>(labels.size(), 1.0F), labels, kind, classes);
}

TEST_CASE("the majority class of binary labels by hand") {
  // Before the first label there is no prediction. After (1, -1) both classes are equal: -1.
  const auto data = Rows({1, -1, -1, 1, 1, 1}, LabelKind::kBinary, 2);
  const auto learner = Make("majority", data);
  const double predicted[] = {0, 1, -1, -1, -1, 1};
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const StepOutcome outcome = learner->Step(i);
    CHECK(outcome.scores[0] == predicted[i]);
    CHECK(outcome.mistake == (predicted[i] != data.label(i)));
  }
  CHECK(learner->Test().mistakes == 2);
}

TEST_CASE("the last label of three classes by hand") {
  const auto data = Rows({2, 2, 0, 1, 1}, LabelKind::kMulticlass, 3);
  const auto learner = Make("last-label", data);
  const bool mistakes[] = {true, false, true, true, false};
  for (std::uint32_t i = 0; i < data.size(); ++i) CHECK(learner->Step(i).mistake == mistakes[i]);
  CHECK(learner->Test().mistakes == 3);
}

TEST_CASE("the running mean and the last value by hand") {
  const auto data = Examples<float>::Regression(1, {1, 1, 1}, {.targets = {3, 5, 1}, .truth = {}});
  const auto mean = Make("running-mean", data), last = Make("last-value", data);
  const double means[] = {0, 3, 4}, values[] = {0, 3, 5};
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    CHECK(mean->Step(i).prediction == means[i]);
    const StepOutcome outcome = last->Step(i);
    CHECK(outcome.prediction == values[i]);
    CHECK(outcome.loss == (values[i] - data.target(i)) * (values[i] - data.target(i)));
  }
  CHECK(mean->Test().squared_error == 0 + 4 + 4);
}

}  // namespace
}  // namespace okbench::baseline_test
