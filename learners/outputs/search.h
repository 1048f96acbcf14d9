#pragma once
// Searches for the output with the highest score, where outputs are too many for a list of scores at hand: in
// batches, or by branch and bound. The lowest output among equals wins, whichever way is taken. With scores
// Delta(y, .) + f(x, .) either is the loss-augmented arg max, an oracle's call.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "learners/core/error.h"

namespace okbench {

struct FoundOutput {
  std::size_t output = 0;
  double score = 0;
  std::uint64_t scored = 0;  ///< outputs scored, or sets bounded
};

/// arg max over outputs 0 .. outputs-1; `score(first, out)` fills out[i] with the score of output first + i.
/// Throws InvalidArgument for no outputs, and for a score that is not finite.
template <class Score>
FoundOutput SearchInBatches(std::size_t outputs, std::size_t batch, const Score& score) {
  if (outputs == 0 || batch == 0)
    throw InvalidArgument("a search needs outputs, and batches of at least one");
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

/// arg max by best-first branch and bound (Lampert, Blaschko and Hofmann 2008). `Space` says what sets of
/// outputs there are:
///   Set                         a set of outputs, not empty
///   double Bound(set)           at least the score of every output in it; of a single output its score
///   std::size_t Lowest(set)     the lowest output in it
///   bool Single(set)
///   Split(set, visit)           visit(part) for disjoint parts that make up the set, each smaller
/// A bound below a score in its set would be a wrong answer: spaces are tested against SearchInBatches.
template <class Space>
FoundOutput SearchByBounds(Space& space, typename Space::Set whole) {
  struct Entry {
    double bound;
    std::size_t lowest;
    typename Space::Set set;
    // What comes out of the queue last. Of equal bounds the set that may hold the lowest output comes first.
    bool operator<(const Entry& other) const {
      return bound != other.bound ? bound < other.bound : lowest > other.lowest;
    }
  };
  std::priority_queue<Entry> queue;
  std::uint64_t bounded = 0;
  const auto add = [&](const typename Space::Set& set) {
    const double bound = space.Bound(set);
    ++bounded;
    if (bound != bound) throw InvalidArgument("a bound of a set of outputs is not a number");
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
