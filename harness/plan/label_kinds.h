#pragma once
// Checks before a run that learners support the labels of their data sets.

#include <string>

#include "harness/measures/prediction.h"
#include "learners/api/learner_info.h"

namespace okbench {

/// Throws InvalidArgument if the method, or the loss named by its parameters, does not support labels of kind
/// `have`.
void RequireLabelsFor(const LearnerInfo& info, const ParameterValues& values, LabelKind have);

/// What the scores of a learner with these parameters are, for labels of kind `have`.
ScoreKind ScoreKindOf(const ParameterValues& values, LabelKind have);

/// Hint for the message of RequireLabelsFor(): how to change the spec.
/// `positive`: the spec has data.positive.
std::string LabelsHint(const LearnerInfo& info, LabelKind have, bool positive);

}  // namespace okbench
