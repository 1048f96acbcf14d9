// StreamLearner::Predict: the scores of Step() without learning.

#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("every stream learner predicts what its step records, and does not learn", "[api]") {
  const Examples<float> sets[] = {testing::RandomDense<float>(60, 4, LabelKind::kBinary, 2, 1),
                                  testing::RandomDense<float>(60, 4, LabelKind::kMulticlass, 3, 1),
                                  testing::RandomDense<float>(60, 4, LabelKind::kReal, 2, 1)};
  for (const LearnerInfo& info : Learners()) {
    if (info.protocol != Protocol::kStream || info.name == "hindsight" || info.name == "box-order") continue;
    for (const Examples<float>& data : sets) {
      const bool fits =
          std::find(info.labels.begin(), info.labels.end(), data.label_kind()) != info.labels.end();
      std::map<std::string, ParameterValue> given;
      if (info.name == "norma" || info.name == "svmd")
        given["loss"] = std::string(data.label_kind() == LabelKind::kBinary       ? "logistic"
                                    : data.label_kind() == LabelKind::kMulticlass ? "multiclass-hinge"
                                                                                  : "huber");
      if (!fits || info.linear) continue;
      DYNAMIC_SECTION(info.name << LabelKindName(data.label_kind())) {
        const ParameterValues values = ParameterValues::Resolve(info.parameters, given);
        const LearnerContext<float> context{
            .train = &data, .kernel = Kernel::RbfFromGamma(1), .seed = 1, .steps = 60};
        const auto learner = info.MakeAs<StreamLearner>(values, context);
        const auto other = info.MakeAs<StreamLearner>(values, context);
        for (std::uint32_t i = 0; i < data.size(); ++i) {
          const std::uint64_t requested = learner->counts().requested;
          // Twice, and for another row in between: nothing depends on it.
          learner->Predict((i * 7) % 60);
          const StepOutcome seen = learner->Predict(i);
          const std::vector<double> scores(seen.scores.begin(), seen.scores.end());
          CHECK(learner->counts().requested == requested);
          const StepOutcome learned = learner->Learn(i), step = other->Step(i);
          REQUIRE(learned.scores.size() == scores.size());
          for (std::size_t r = 0; r < scores.size(); ++r) {
            CHECK(scores[r] == Approx(step.scores[r]).margin(1e-9));
            CHECK(learned.scores[r] == step.scores[r]);
          }
          CHECK(seen.loss == Approx(step.loss).margin(1e-9));
          CHECK(learner->counts().requested == other->counts().requested);
        }
        CHECK(learner->support_vectors() == other->support_vectors());
      }
    }
  }
}

}  // namespace
}  // namespace okbench
