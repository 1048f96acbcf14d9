#include "learners/api/learner_info.h"

#include "learners/losses/loss.h"

namespace okbench {

void LearnerInfo::RequireLabels(const ParameterValues& values, LabelKind have) const {
  okbench::RequireLabels(name, labels, have);
  const auto loss = values.all().find("loss");
  if (loss == values.all().end() || !std::holds_alternative<std::string>(loss->second)) return;
  const std::string& chosen = std::get<std::string>(loss->second);
  // Methods with a task loss have choices of their own.
  for (const LossInfo& info : Losses())
    if (info.name == chosen) RequireLossLabels(chosen, have);
}

LearnerInfo Described(const char* folder, LearnerInfo (*describe)()) {
  try {
    return describe();
  } catch (const std::exception& error) {
    throw InvalidArgument("learners/" + std::string(folder) + " cannot be described: " + error.what());
  }
}

}  // namespace okbench
