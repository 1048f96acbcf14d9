#pragma once
// Evaluates a model on a test set.

#include <cstdint>
#include <span>
#include <vector>

#include "learners/api/learner.h"
#include "learners/core/math.h"
#include "learners/outputs/label_distance.h"

namespace okbench {

/// Calls visit(i, f) with the scores f of the i-th row. `scores(rows, out)` fills out[i * outputs + r] for
/// all rows.
template <class Scores, class Visit>
void ForEachScored(std::span<const std::uint32_t> rows, std::size_t outputs, const Scores& scores,
                   const Visit& visit) {
  std::vector<double> out(rows.size() * outputs);
  scores(rows, std::span(out));
  for (std::size_t i = 0; i < rows.size(); ++i) visit(i, std::span(out).subspan(i * outputs, outputs));
}

/// Counts wrong predictions and task losses on all rows of `set`.
template <class T, class Scores>
TestOutcome CountMistakes(const Examples<T>& set, std::size_t outputs, const Scores& scores,
                          const PredictionLoss& task_loss) {
  TestOutcome outcome{.examples = set.size(), .mistakes = 0};
  double losses = 0;
  ForEachScored(AllRows(set), outputs, scores, [&](std::size_t i, std::span<double> f) {
    outcome.finite = outcome.finite && AllFinite(f);
    outcome.AddScores(f);
    outcome.mistakes += PredictsWrong(f, set.label(i)) ? 1 : 0;
    if (task_loss.known()) losses += task_loss(f, static_cast<std::size_t>(set.label(i))).value_or(0);
  });
  if (task_loss.known()) outcome.task_loss = losses / static_cast<double>(set.size());
  return outcome;
}

/// Sums the squared errors of one score per row against the noise-free targets of `set`.
template <class T, class Scores>
TestOutcome SumSquaredErrors(const Examples<T>& set, const Scores& scores) {
  TestOutcome outcome{.examples = set.size()};
  ForEachScored(AllRows(set), 1, scores, [&](std::size_t i, std::span<double> f) {
    outcome.finite = outcome.finite && AllFinite(f);
    outcome.AddScores(f);
    outcome.squared_error += (f[0] - set.truth(i)) * (f[0] - set.truth(i));
  });
  return outcome;
}

}  // namespace okbench
