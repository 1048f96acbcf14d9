#include "harness/plan/label_kinds.h"

#include <algorithm>

#include "learners/api/registry.h"
#include "learners/losses/loss.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

Examples<float> SomeExamples(LabelKind kind) {
  return testing::RandomDense<float>(12, 3, kind, kind == LabelKind::kMulticlass ? 3 : 2, 1);
}

// Checks that RequireLabelsFor() rejects a label kind exactly if construction of the learner does.
void CheckLabels(const LearnerInfo& info, const ParameterValues& values, LabelKind kind) {
  INFO(info.name << " with " << LabelKindName(kind) << " labels");
  const Examples<float> examples = SomeExamples(kind);
  bool output = true, is_constructible = true;
  std::string cause;
  try {
    RequireLabelsFor(info, values, kind);
  } catch (const InvalidArgument&) {
    output = false;
  }
  try {
    const Kernel kernel = info.linear ? Kernel::Linear() : Kernel::RbfFromGamma(1);
    info.Make(values, LearnerContext<float>{.train = &examples, .kernel = kernel, .batch = 4, .steps = 12});
  } catch (const InvalidArgument& error) {
    cause = error.what();
    is_constructible = false;
  }
  INFO(cause);
  CHECK(output == is_constructible);
}

TEST_CASE("every learner declares its label kinds, and construction rejects all others") {
  for (const LearnerInfo& info : Learners())
    for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal}) {
      const bool has_loss = std::any_of(info.parameters.begin(), info.parameters.end(),
                                        [](const Parameter& parameter) { return parameter.name == "loss"; });
      CheckLabels(info, ParameterValues::Resolve(info.parameters, {}), kind);
      if (!has_loss || info.protocol != Protocol::kStream) continue;
      for (const LossInfo& loss : Losses())
        if (loss.name != "tree-hinge" && loss.name != "graph-hinge")  // they need a tree or a graph
          CheckLabels(info, ParameterValues::Resolve(info.parameters, {{"loss", loss.name}}), kind);
    }
}

TEST_CASE("messages about wrong label kinds suggest a remedy") {
  using enum LabelKind;
  CHECK_THAT(LabelsHint(FindLearner("lasvm"), kMulticlass, false),
             Catch::StartsWith("set data.positive = [0]"));
  CHECK_THAT(LabelsHint(FindLearner("mira"), kBinary, true), Catch::StartsWith("remove data.positive"));
  CHECK_THAT(LabelsHint(FindLearner("mira"), kBinary, false), Catch::Contains("help learners"));
  CHECK_THAT(LabelsHint(FindLearner("norma"), kReal, false), Catch::Contains("help losses"));
}

}  // namespace
}  // namespace okbench
