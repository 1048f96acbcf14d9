#pragma once
// "Did you mean": the known word nearest to one that is not known.

#include <string>
#include <vector>

namespace okbench {

/// The entry nearest to `word` by edit distance, or "" when none is near: for "did you mean".
std::string Nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace okbench
