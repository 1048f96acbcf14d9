#pragma once
// Spelling suggestions for error messages: "did you mean".

#include <string>
#include <vector>

namespace okbench {

/// The entry of `known` with the smallest edit distance to `word`, the first on ties. Returns "" if the
/// distance exceeds max(2, word.size() / 3). Swapping two neighbouring characters counts as one edit.
std::string Nearest(const std::string& word, const std::vector<std::string>& known);

/// End of an error message about the unknown `word`: "; did you mean NAME?" with the nearest name, or if none
/// is near "; HINT". Empty if the hint is empty, too.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& known,
                       const std::string& hint = "");

}  // namespace okbench
