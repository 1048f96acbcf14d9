#pragma once
// Counting mistakes over a test set, the same way for every method.

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "learners/core/learner.h"

namespace okbench {

/// `scores(rows, out)` fills out[row * outputs + r] for all rows of the set; `mistake(f, y)` judges one of
/// them.
template <class T, class Scores, class Mistake>
TestOutcome CountMistakes(const Examples<T>& set, std::size_t outputs, const Scores& scores,
                          const Mistake& mistake) {
  std::vector<std::uint32_t> rows(set.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<double> out(rows.size() * outputs);
  scores(std::span<const std::uint32_t>(rows), std::span(out));
  TestOutcome outcome{.examples = set.size(), .mistakes = 0};
  for (std::size_t i = 0; i < set.size(); ++i)
    outcome.mistakes += mistake(std::span(out).subspan(i * outputs, outputs), set.label(i)) ? 1 : 0;
  return outcome;
}

}  // namespace okbench
