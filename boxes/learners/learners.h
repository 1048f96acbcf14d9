#pragma once
// Registers the learners of boxes: box-order, and the structured variants of bcfw, svm-struct and
// structural-sfd.

#include <list>

#include "learners/api/learner_info.h"

namespace okbench::boxes {

/// REQUIRES: `learners` has bcfw, svm-struct and structural-sfd.
void Register(std::list<LearnerInfo>& learners);

}  // namespace okbench::boxes
