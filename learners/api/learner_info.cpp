#include "learners/api/learner_info.h"

namespace okbench {

StepOutcome StreamLearner::Predict(std::uint32_t /*example*/) {
  throw InvalidArgument("the learner does not support late labels; remove data.delay");
}

LearnerInfo Described(const char* folder, LearnerInfo (*describe)()) {
  try {
    return describe();
  } catch (const std::exception& error) {
    throw InvalidArgument("learner folder '" + std::string(folder) + "': Describe() failed: " + error.what());
  }
}

std::string EstimatorName(const std::string& name) {
  std::string text;
  bool first = true;  // at the first letter of a word
  for (const char c : name) {
    const bool letter = c >= 'a' && c <= 'z';
    if (c != '-' && c != '_') text += first && letter ? static_cast<char>(c - 'a' + 'A') : c;
    first = c == '-' || c == '_';
  }
  return text;
}

}  // namespace okbench
