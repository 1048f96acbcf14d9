#pragma once
// Spelling suggestions for error messages: "did you mean".

#include <string>
#include <vector>

namespace okbench {

/// The entry of `known` with the smallest edit distance to `word`, the first on ties. Returns "" if the
/// distance exceeds max(2, word.size() / 3). Swapping two neighbouring characters counts as one edit.
std::string Nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace okbench
