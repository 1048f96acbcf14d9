#include "harness/plan/label_kinds.h"

#include <algorithm>

#include "learners/losses/loss.h"

namespace okbench {
namespace {

bool LearnsFrom(const LearnerInfo& info, LabelKind kind) {
  return std::find(info.labels.begin(), info.labels.end(), kind) != info.labels.end();
}

}  // namespace

void RequireLabelsFor(const LearnerInfo& info, const ParameterValues& values, LabelKind have) {
  RequireLabels(info.name, info.labels, have);
  const auto loss = values.all().find("loss");
  if (loss == values.all().end() || !std::holds_alternative<std::string>(loss->second)) return;
  const std::string& chosen = std::get<std::string>(loss->second);
  // Methods with a task loss accept values that are not in Losses().
  const bool known =
      std::any_of(Losses().begin(), Losses().end(), [&](const LossInfo& one) { return one.name == chosen; });
  if (known) RequireLossLabels(chosen, have);
}

std::string MendingLabels(const LearnerInfo& info, LabelKind have, bool positive) {
  if (LearnsFrom(info, have)) return "see okbench list losses for the labels of each loss";
  if (have == LabelKind::kMulticlass && LearnsFrom(info, LabelKind::kBinary))
    return "set data.positive = [0] to make class 0 positive and all others negative";
  if (have == LabelKind::kBinary && positive)
    return "remove data.positive to learn the classes of the data set";
  return "see okbench list learners for the labels of each learner";
}

}  // namespace okbench
