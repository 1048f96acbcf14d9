#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace okbench {
namespace {

bool SameLetter(unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); }

}  // namespace

std::string Nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    // Optimal string alignment distance; the recurrence needs only three rows of the table.
    std::vector<std::size_t> before, last, row(candidate.size() + 1);
    for (std::size_t j = 0; j <= candidate.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      before = std::exchange(last, row);
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t change = last[j - 1] + (SameLetter(word[i - 1], candidate[j - 1]) ? 0 : 1);
        row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
        if (i > 1 && j > 1 && SameLetter(word[i - 1], candidate[j - 2]) &&
            SameLetter(word[i - 2], candidate[j - 1]))
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& known,
                       const std::string& hint) {
  const std::string nearest = Nearest(word, known);
  if (!nearest.empty()) return "; did you mean " + nearest + "?";
  return hint.empty() ? "" : "; " + hint;
}

}  // namespace okbench
