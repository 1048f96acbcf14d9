// Baselines evaluate no kernels; nearest neighbours request one distance for each row of the window.

#include "tests/learners/counts/replay.h"

namespace okbench::baselines_replay {
namespace {

void ReplayBaseline(const std::string& name, LabelKind kind) {
  const Examples<float> data =
      testing::RandomDense<float>(50, 3, kind, kind == LabelKind::kMulticlass ? 3 : 2, 1);
  const LearnerContext<float> context{.train = &data, .test = &data, .kernel = Kernel::RbfFromGamma(1)};
  const LearnerInfo& info = FindLearner(name);
  const auto learner = info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, {}), context);
  for (std::uint32_t i = 0; i < data.size(); ++i) learner->Step(i);
  learner->Test();
  CHECK(learner->counts().requested + learner->counts().computed + learner->counts().evaluation == 0);
  CHECK(learner->support_vectors() == 0);
}

void ReplayNeighbours() {
  const auto data = testing::RandomDense<float>(50, 3, LabelKind::kBinary, 2, 1);
  const LearnerContext<float> context{.train = &data, .test = &data, .kernel = Kernel::RbfFromGamma(1)};
  const LearnerInfo& info = FindLearner("knn");
  const auto learner = info.MakeAs<StreamLearner>(
      ParameterValues::Resolve(info.parameters, {{"window", std::int64_t{20}}}), context);
  std::uint64_t distances = 0;
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    learner->Step(i);
    distances += std::min<std::uint64_t>(i, 20);
    CHECK(learner->counts().requested == distances);
    CHECK(learner->counts().computed == distances);
  }
  learner->Test();
  CHECK(learner->counts().evaluation == 50 * 20);
}

const testing::RegisterReplay kMajority("majority",
                                        [] { ReplayBaseline("majority", LabelKind::kMulticlass); }),
    kLastLabel("last-label", [] { ReplayBaseline("last-label", LabelKind::kBinary); }),
    kRunningMean("running-mean", [] { ReplayBaseline("running-mean", LabelKind::kReal); }),
    kLastValue("last-value", [] { ReplayBaseline("last-value", LabelKind::kReal); }),
    kNeighbours("knn", ReplayNeighbours);

}  // namespace
}  // namespace okbench::baselines_replay
