#include "harness/plan/label_kinds.h"

#include <algorithm>

#include "learners/losses/loss.h"

namespace okbench {
namespace {

bool LearnsFrom(const LearnerInfo& info, LabelKind kind) {
  return std::find(info.labels.begin(), info.labels.end(), kind) != info.labels.end();
}

// The loss that the parameters name, or null. Methods with a task loss accept names that are not in Losses().
const LossInfo* LossOf(const ParameterValues& values) {
  const auto loss = values.all().find("loss");
  const auto* name = loss == values.all().end() ? nullptr : std::get_if<std::string>(&loss->second);
  if (name == nullptr) return nullptr;
  const auto entry = std::find_if(Losses().begin(), Losses().end(),
                                  [&](const LossInfo& info) { return info.name == *name; });
  return entry == Losses().end() ? nullptr : &*entry;
}

}  // namespace

void RequireLabelsFor(const LearnerInfo& info, const ParameterValues& values, LabelKind have) {
  RequireLabels(info.name, info.labels, have);
  if (const LossInfo* loss = LossOf(values)) RequireLossLabels(loss->name, have);
}

ScoreKind ScoreKindOf(const ParameterValues& values, LabelKind have) {
  if (have == LabelKind::kReal) return ScoreKind::kReal;
  const LossInfo* loss = LossOf(values);
  if (loss != nullptr && loss->one_class) return ScoreKind::kOneClass;
  if (loss == nullptr || !loss->log_likelihood) return ScoreKind::kMargins;
  return have == LabelKind::kBinary ? ScoreKind::kLogOdds : ScoreKind::kSoftmax;
}

std::string LabelsHint(const LearnerInfo& info, LabelKind have, bool positive) {
  if (LearnsFrom(info, have)) return "see okbench help losses for the labels of each loss";
  if (have == LabelKind::kMulticlass && LearnsFrom(info, LabelKind::kBinary))
    return "set data.positive = [0] to make class 0 positive and all others negative";
  if (have == LabelKind::kBinary && positive)
    return "remove data.positive to learn the classes of the data set";
  return "see okbench help learners for the labels of each learner";
}

}  // namespace okbench
