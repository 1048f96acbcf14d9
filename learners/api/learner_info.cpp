#include "learners/api/learner_info.h"

namespace okbench {

LearnerInfo Described(const char* folder, LearnerInfo (*describe)()) {
  try {
    return describe();
  } catch (const std::exception& error) {
    throw InvalidArgument("learners/" + std::string(folder) + " cannot be described: " + error.what());
  }
}

}  // namespace okbench
