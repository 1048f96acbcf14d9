#pragma once
// Which labels a learner can be given, checked before anything runs.

#include <string>

#include "learners/api/learner_info.h"

namespace okbench {

/// Throws InvalidArgument when the method, or the loss that its parameters name, does not learn from such
/// labels.
void RequireLabelsFor(const LearnerInfo& info, const ParameterValues& values, LabelKind have);

/// What to write in a spec so that the learner fits; `positive`: data.positive is given.
std::string MendingLabels(const LearnerInfo& info, LabelKind have, bool positive);

}  // namespace okbench
