#pragma once
// The registry: every method folder under learners/ that has a learner.cpp. The build collects them, so a new
// folder is all it takes to add a method. Learners of a plugin or of Python join them while a program runs.

#include <list>
#include <string>

#include "learners/api/learner_info.h"

namespace okbench {

/// All learners, by name. Their addresses stay.
const std::list<LearnerInfo>& Learners();

/// The learner of this name. Throws InvalidArgument naming the nearest one when there is none.
const LearnerInfo& FindLearner(const std::string& name);

/// Adds a learner that is not of the program, whose `code` says where it comes from. Only before any plan is
/// made, and while no other thread looks at the registry: it has no lock. Throws InvalidArgument when the
/// name is taken: no learner is ever replaced.
void AddLearner(LearnerInfo info);

/// Takes away a learner that was added, once no plan has it any more. Throws InvalidArgument for the
/// program's own.
void RemoveLearner(const std::string& name);

}  // namespace okbench
