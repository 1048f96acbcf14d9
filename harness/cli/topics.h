#pragma once
// Topics of `okbench help` besides verbs.

#include <string>
#include <vector>

namespace okbench {

/// Names that help describes: papers, experiments, learners, parameters, losses, kernels, measures, spec keys
/// and data sets.
std::vector<std::string> NamedTopics();

/// Describes everything of this name, without regard to case and hyphens. A learner is also known by its
/// class, the words of its title and its initials; a spec key by its last part. Returns false for an unknown
/// name.
bool DescribeTopic(const std::string& name);

/// Learners of this name or class, else those with this abbreviation in the title or these initials: "pa" is
/// passive-aggressive.
std::vector<std::string> LearnersNamed(const std::string& name);

}  // namespace okbench
