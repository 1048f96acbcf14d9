// Nearest neighbours in a window: by hand, and against a plain search.

#include "learners/methods/knn/knn.h"

#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::knn_test {
namespace {

template <class T>
std::unique_ptr<StreamLearner> Make(std::int64_t k, std::int64_t window, const Examples<T>& data) {
  const LearnerInfo& info = FindLearner("knn");
  return info.MakeAs<StreamLearner>(
      ParameterValues::Resolve(info.parameters, {{"k", k}, {"window", window}}),
      LearnerContext<T>{.train = &data, .test = &data, .kernel = Kernel::RbfFromGamma(1)});
}

TEST_CASE("nearest neighbours of binary labels by hand", "[knn]") {
  // k = 2, window 3. Step 4 sees 0, 10, 1: the nearest of 2 are 1 (-1) and 0 (+1), a tie for the nearer -1.
  // Step 5 sees 10, 1, 2: the nearest of 11 are 10 (+1) and 2 (+1).
  const auto data = Examples<float>::Dense(1, {0, 10, 1, 2, 11}, {1, 1, -1, 1, 1}, LabelKind::kBinary, 2);
  const auto learner = Make(2, 3, data);
  const double scores[] = {0, 1, 1, -0.25, 1};
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const StepOutcome outcome = learner->Step(i);
    CHECK(outcome.scores[0] == scores[i]);
    CHECK(outcome.mistake == (scores[i] * data.label(i) <= 0));
    CHECK(outcome.loss == (outcome.mistake ? 1 : 0));
  }
  CHECK(learner->support_vectors() == 3);
  CHECK(learner->counts().requested == 0 + 1 + 2 + 3 + 3);
}

TEST_CASE("of equally distant neighbours the newer one counts", "[knn]") {
  const auto data = Examples<float>::Dense(1, {0, 2, 1}, {0, 1, 2}, LabelKind::kMulticlass, 3);
  const auto learner = Make(1, 3, data);
  learner->Step(0);
  learner->Step(1);
  const StepOutcome outcome = learner->Predict(2);
  CHECK(std::vector<double>(outcome.scores.begin(), outcome.scores.end()) == std::vector<double>{0, 1, 0});
}

TEST_CASE("the mean of the neighbours' targets by hand", "[knn]") {
  const auto data = Examples<float>::Regression(1, {0, 1, 5, 2}, {.targets = {3, 5, 1, 8}, .truth = {}});
  const auto learner = Make(2, 10, data);
  const double predictions[] = {0, 3, 4, 4};
  for (std::uint32_t i = 0; i < data.size(); ++i) CHECK(learner->Step(i).prediction == predictions[i]);
  // Of 0: 0 and 1. Of 1: 1 and then 2, the newer of 0 and 2. Of 5: 5 and 2. Of 2: 2 and 1.
  CHECK(learner->Test().squared_error ==
        (4. - 3) * (4 - 3) + (6.5 - 5) * (6.5 - 5) + (4.5 - 1) * (4.5 - 1) + (6.5 - 8) * (6.5 - 8));
}

// Sorts all distances in double precision.
std::size_t PlainPrediction(const Examples<double>& data, std::uint32_t i, std::size_t k,
                            std::uint32_t window) {
  std::vector<std::pair<double, std::uint32_t>> all;
  for (std::uint32_t j = i > window ? i - window : 0; j < i; ++j) {
    double sum = 0;
    for (std::size_t f = 0; f < data.features(); ++f) {
      const double difference = data.row(i).values[f] - data.row(j).values[f];
      sum = std::fma(difference, difference, sum);
    }
    all.emplace_back(sum, i - j);
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(k, all.size()));
  std::map<std::int32_t, std::size_t> votes;
  for (const auto& [distance, age] : all) ++votes[data.label(i - age)];
  std::size_t most = 0;
  for (const auto& [label, count] : votes) most = std::max(most, count);
  for (const auto& [distance, age] : all)
    if (votes[data.label(i - age)] == most) return static_cast<std::size_t>(data.label(i - age));
  return 0;
}

TEST_CASE("nearest neighbours are those of a plain search over seeds", "[knn]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto data = testing::RandomDense<double>(90, 3, LabelKind::kMulticlass, 4, seed);
    const auto learner = Make(static_cast<std::int64_t>(seed), 40, data);
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      const StepOutcome outcome = learner->Step(i);
      if (i > 0) CHECK(ArgMax(outcome.scores) == PlainPrediction(data, i, seed, 40));
    }
  }
}

}  // namespace
}  // namespace okbench::knn_test
