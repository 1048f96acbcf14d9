#pragma once
// The cost model of a learner: what a trial will ask of the machine, from its parameters and sizes alone.
//
// Which examples become support vectors depends on the data: where a method does not bound their number,
// typical shares stand, taken from runs on the papers' data sets. Evaluations of a stream are a bound, and so
// is memory; all other numbers are estimates, usually within a factor of two or three.

#include <algorithm>
#include <cstdint>

namespace okbench {

/// How much a trial has to do.
struct Workload {
  std::uint64_t examples = 0;     ///< processed in all
  std::uint64_t training = 0;     ///< of the training set; of a stream: of the part it is drawn from
  std::uint64_t batch = 0;        ///< of a mini-batch
  std::uint64_t outputs = 1;      ///< functions: classes, or 1
  std::uint64_t candidates = 0;       ///< outputs of a structured example, estimated; else 0
  std::uint64_t candidate_bytes = 0;  ///< memory per candidate, estimated
  double entries = 1;             ///< nonzero features of a row, on average
  std::uint64_t row_bytes = 4;    ///< of one row in a support set
  std::uint64_t value_bytes = 4;  ///< of a kernel value
  std::uint64_t lookahead = 48;        ///< look-ahead rows
};

/// Counts, memory and work of a trial.
struct Cost {
  std::uint64_t requested = 0;  ///< kernel evaluations for learning: at most, for streams; about, for others
  double computed = 0;          ///< kernel values evaluated for learning, about
  /// With coefficients and scores in cache, about, besides the one that makes a kernel value part of a score.
  double multiply_adds = 0;
  double streamed_bytes = 0;    ///< of held kernel rows and scores that memory has to deliver, about
  double vectors = 0;           ///< support vectors at the end, about; 0 without a kernel
  bool follows_scores = false;  ///< measured scores follow the coefficients (IncrementalScores)
  double changes = 0;  ///< then: coefficients that change over the run, about; 0: all at each checkpoint
  double measuring_adds = 0;  ///< multiply-adds of measuring a row, besides those with kernel values
  std::uint64_t bytes = 0;    ///< of memory besides the data sets, at most
};

/// Sum over n steps of the number of terms before each: terms grow by one every 1/share steps, up to a
/// capacity.
inline double GrowingRows(double n, double share, double capacity) {
  const double filling = share > 0 ? std::min(n, capacity / share) : n;
  return filling * filling * share / 2 + (n - filling) * std::min(capacity, filling * share);
}

/// For methods without a model of their own: every example that is shown becomes a support vector and stays
/// one, and its row is kept. Nothing that fits this is larger.
inline Cost LargestCost(const Workload& work) {
  const std::uint64_t n = work.examples, growing = std::min(n, work.training);
  Cost cost;
  cost.requested = growing * growing / 2 + (n - growing) * work.training + n * (work.batch + 1);
  cost.computed = static_cast<double>(cost.requested);
  cost.multiply_adds = cost.computed * static_cast<double>(work.outputs);
  cost.vectors = static_cast<double>(growing);
  cost.bytes = growing * (work.row_bytes + (work.lookahead + work.batch) * work.value_bytes + 16 * work.outputs);
  return cost;
}

}  // namespace okbench
