#pragma once
// Topics of `okbench help` that `okbench list` also lists.

#include <string>
#include <vector>

namespace okbench {

/// Names that help describes besides verbs: papers, experiments, spec keys, learners and data sets.
std::vector<std::string> NamedTopics();

/// Describes a paper, experiment, spec key, learner or data set. Returns false for an unknown name.
bool DescribeTopic(const std::string& name);

}  // namespace okbench
