// Baselines evaluate no kernels.

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

const testing::RegisterReplay kMajority("majority",
                                        [] { ReplayBaseline("majority", LabelKind::kMulticlass); }),
    kLastLabel("last-label", [] { ReplayBaseline("last-label", LabelKind::kBinary); }),
    kRunningMean("running-mean", [] { ReplayBaseline("running-mean", LabelKind::kReal); }),
    kLastValue("last-value", [] { ReplayBaseline("last-value", LabelKind::kReal); });

}  // namespace
}  // namespace okbench::baselines_replay
