#pragma once
// Finds the output with the highest score where outputs are too many for one list of scores: in batches, or
// by branch and bound. Ties go to the lowest output in both cases. With scores Delta(y, .) + f(x, .) the
// result is the loss-augmented arg max, an oracle call.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace okbench {

struct FoundOutput {
  std::size_t output = 0;
  double score = 0;
  std::uint64_t scored = 0;  ///< number of outputs scored, or of sets bounded
};

/// arg max over outputs 0 .. outputs-1. `score(first, out)` writes the score of output first + i to out[i].
/// Throws InvalidArgument if `outputs` or `batch` is 0 or a score is not finite. Complexity: `outputs`
/// scores.
template <class Score>
FoundOutput SearchInBatches(std::size_t outputs, std::size_t batch, const Score& score) {
  if (outputs == 0 || batch == 0)
    throw InvalidArgument("a search needs at least one output and a batch size of at least 1");
  FoundOutput best{.score = -std::numeric_limits<double>::infinity()};
  std::vector<double> scores(std::min(batch, outputs));
  for (std::size_t first = 0; first < outputs; first += batch) {
    const std::span<double> out = std::span(scores).first(std::min(batch, outputs - first));
    score(first, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!(out[i] > -std::numeric_limits<double>::infinity()) ||
          !(out[i] < std::numeric_limits<double>::infinity()))
        throw InvalidArgument("output " + std::to_string(first + i) + " has a score that is not finite");
      if (out[i] > best.score) best = {.output = first + i, .score = out[i]};
    }
  }
  best.scored = outputs;
  return best;
}

/// arg max by best-first branch and bound (Lampert, Blaschko and Hofmann 2008). `Space` defines sets of
/// outputs:
///   Set                         a non-empty set of outputs
///   double Bound(set)           upper bound on the scores of the set; exact for a single output
///   std::size_t Lowest(set)     lowest output in the set
///   bool Single(set)            whether the set has one output
///   Split(set, visit)           calls visit(part) for disjoint smaller parts that make up the set
/// A bound below a score in its set gives a wrong result: tests compare every space with SearchInBatches.
/// Throws InvalidArgument if a bound is NaN.
template <class Space>
FoundOutput SearchByBounds(Space& space, typename Space::Set whole) {
  struct Entry {
    double bound;
    std::size_t lowest;
    typename Space::Set set;
    // Priority order. Of equal bounds, the set with the lowest output comes first.
    bool operator<(const Entry& other) const {
      return bound != other.bound ? bound < other.bound : lowest > other.lowest;
    }
  };
  std::priority_queue<Entry> queue;
  std::uint64_t bounded = 0;
  const auto add = [&](const typename Space::Set& set) {
    const double bound = space.Bound(set);
    ++bounded;
    if (bound != bound) throw InvalidArgument("the bound of a set of outputs is not a number");
    queue.push({bound, space.Lowest(set), set});
  };
  for (add(whole); !space.Single(queue.top().set);) {
    const typename Space::Set set = queue.top().set;
    queue.pop();
    space.Split(set, add);
  }
  return {.output = queue.top().lowest, .score = queue.top().bound, .scored = bounded};
}

}  // namespace okbench
