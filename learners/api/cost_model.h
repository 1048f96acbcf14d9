#pragma once
// Cost model: predicts evaluations, memory and work of a trial from its parameters and sizes alone.
//
// The number of support vectors depends on the data. For methods without a bound, cost models use typical
// shares, taken from runs on the papers' data sets. `requested` of a stream and `bytes` are upper bounds. All
// other numbers are estimates, usually within a factor of two or three.

#include <algorithm>
#include <cstdint>

namespace okbench {

/// Sizes of a trial, the input of a cost model.
struct Workload {
  std::uint64_t examples = 0;         ///< examples processed, over all passes
  std::uint64_t training = 0;         ///< training examples; for streams: examples that the stream draws from
  std::uint64_t batch = 0;            ///< examples per mini-batch; 0 without mini-batches
  std::uint64_t outputs = 1;          ///< functions learned: number of classes, or 1
  std::uint64_t candidates = 0;       ///< estimated outputs per structured example; 0 for other data
  std::uint64_t candidate_bytes = 0;  ///< estimated memory per candidate, in bytes
  double entries = 1;                 ///< mean number of nonzero features per row
  std::uint64_t row_bytes = 4;        ///< memory per row of a support set, in bytes
  std::uint64_t value_bytes = 4;      ///< memory per kernel value, in bytes
  std::uint64_t lookahead = 48;       ///< look-ahead rows
};

/// Predicted counts, memory and work of a trial.
struct Cost {
  std::uint64_t requested = 0;  ///< kernel evaluations for learning; upper bound for streams, else estimate
  double computed = 0;          ///< estimated kernel values computed for learning
  /// Estimated multiply-adds on coefficients and scores in cache. Excludes the multiply-add that adds each
  /// kernel value to a score.
  double multiply_adds = 0;
  double streamed_bytes = 0;  ///< estimated memory traffic of stored kernel rows and scores, in bytes
  double vectors = 0;         ///< estimated support vectors at the end; 0 without a kernel
  bool incremental_scores =
      false;                  ///< test and training scores are updated incrementally (IncrementalScores)
  double changes = 0;         ///< if incremental_scores: coefficient changes of the run; 0: all coefficients
                              ///< change between checkpoints
  double measuring_adds = 0;  ///< multiply-adds per measured row, without those on kernel values
  std::uint64_t bytes = 0;    ///< upper bound on memory besides the data sets
};

/// Sums the number of terms before each of n steps. The number grows by one every 1/share steps, up to
/// `capacity`.
inline double GrowingRows(double n, double share, double capacity) {
  const double filling = share > 0 ? std::min(n, capacity / share) : n;
  return filling * filling * share / 2 + (n - filling) * std::min(capacity, filling * share);
}

/// Cost of a method without a cost model: every example becomes a support vector, and its kernel row is kept.
/// Upper bound for every method of this kind.
inline Cost LargestCost(const Workload& work) {
  const std::uint64_t n = work.examples, growing = std::min(n, work.training);
  Cost cost;
  cost.requested = growing * growing / 2 + (n - growing) * work.training + n * (work.batch + 1);
  cost.computed = static_cast<double>(cost.requested);
  cost.multiply_adds = cost.computed * static_cast<double>(work.outputs);
  cost.vectors = static_cast<double>(growing);
  cost.bytes =
      growing * (work.row_bytes + (work.lookahead + work.batch) * work.value_bytes + 16 * work.outputs);
  return cost;
}

}  // namespace okbench
