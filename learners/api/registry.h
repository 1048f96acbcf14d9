#pragma once
// Registry of learners: every folder of learners/methods that has a learner.cpp. The build collects them,
// so adding a method means adding a folder. Learners of plugins and of Python are added at run time.

#include <list>
#include <string>

#include "learners/api/learner_info.h"

namespace okbench {

/// Returns all learners, sorted by name. Addresses of entries stay valid until RemoveLearner().
const std::list<LearnerInfo>& Learners();

/// Returns the learner of this name. Throws InvalidArgument, naming the nearest one, if there is none.
const LearnerInfo& FindLearner(const std::string& name);

/// Adds a learner that is not part of the program. Throws InvalidArgument if the name is taken.
/// REQUIRES: `info.code` states the origin. No plan exists, and no other thread uses the registry: it has no
/// lock.
void AddLearner(LearnerInfo info);

/// Removes a learner that was added. Throws InvalidArgument for learners of the program.
/// REQUIRES: no plan refers to the learner.
void RemoveLearner(const std::string& name);

}  // namespace okbench
