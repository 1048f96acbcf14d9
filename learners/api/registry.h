#pragma once
// The registry: every method folder under learners/ that has a learner.cpp. The build collects them, so a new
// folder is all it takes to add a method.

#include <string>
#include <vector>

#include "learners/api/learner_info.h"

namespace okbench {

/// All learners, by name.
const std::vector<LearnerInfo>& Learners();

/// The learner of this name. Throws InvalidArgument naming the nearest one when there is none.
const LearnerInfo& FindLearner(const std::string& name);

}  // namespace okbench
