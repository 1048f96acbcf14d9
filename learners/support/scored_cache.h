#pragma once
// ScoredCache: a support set with removal, which keeps the scores of its own members up to date.
//
//   f_r = sum_i tau_ri k(x_i, .),  r = 0 .. outputs-1
//
// A budget method asks which cached example would be classified with the largest margin without its own
// contribution (budget-2003, figure 3, line 1a):
//
//   m_i = (f_y(x_i) - tau_yi k_ii) - max_{r != y} (f_r(x_i) - tau_ri k_ii)     for several outputs
//   m_i = y_i (f(x_i) - tau_i k_ii)                                            for a single one
//
// With the scores f_r(x_i) kept, the search costs O(size x outputs), and so does bringing them up to date
// after an insertion or a removal; a removal also needs one kernel row over the cache. That row is asked for
// again (size() values requested), or, with `hold_rows`, put together from rows that were kept when their
// examples came in (none requested, up to size()^2 values of memory). Freed slots are used again, the lowest
// first. Owns its copies of the inputs. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"
#include "learners/kernels/vector_ops.h"

namespace okbench {

struct CacheOptions {
  bool keep_scores = true;  ///< without them Remove and LargestMargin may not be called
  bool hold_rows = false;
};

template <class T>
class ScoredCache {
 public:
  /// The engine and the inputs must outlive this object; `blocks` is the empty support set.
  ScoredCache(KernelEngine<T>& engine, const ExampleInputs<T>& inputs, SupportBlocks<T> blocks,
              std::size_t outputs, const CacheOptions& options, std::size_t lookahead);

  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// f(x_i) of an example that is not in the cache: size() values requested. Its row is remembered for the
  /// Insert or Remove that may follow.
  void Scores(std::uint32_t i, std::span<double> f);

  /// Adds tau_r k(x_i, .) to f_r for the example that Scores was called for. `f` are its scores, corrected
  /// for removals since; `self` = k(x_i, x_i) > 0.
  void Insert(std::span<const double> tau, std::span<const double> f, double self);

  struct Candidate {
    std::size_t slot = 0;
    double margin = 0;  ///< without its own contribution
  };
  /// The member with the largest margin, the lowest slot among equals. The cache must not be empty.
  Candidate LargestMargin();

  /// Removes a member. `f`, unless empty, holds the scores of the example that Scores was called for and has
  /// not been inserted yet, and is corrected, too.
  void Remove(std::size_t slot, std::span<double> f);

  /// The training examples are others now: rows of members are taken from the cache itself from here on.
  void OnRowsAppended();
  void Serialize(Archive& archive);
  /// Slots in use, and the rows that they hold.
  const SupportBlocks<T>& blocks() const { return blocks_; }

  std::size_t size() const { return blocks_.size(); }
  std::size_t outputs() const { return outputs_; }
  std::size_t slots() const { return examples_.size(); }
  bool in_use(std::size_t slot) const { return in_use_[slot] != 0; }
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  double tau(std::size_t slot, std::size_t r) const { return tau_[r * stride_ + slot]; }
  /// The score kept for a member.
  double score(std::size_t slot, std::size_t r) const { return scores_[r * stride_ + slot]; }

  /// Scores of rows of another data set, counted as evaluation: out[row * outputs + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);

 private:
  static constexpr std::uint32_t kGone = static_cast<std::uint32_t>(-1);

  void Reserve(std::size_t slots);
  std::size_t TakeSlot();
  const T* RemovalRow(std::size_t slot);

  KernelEngine<T>& engine_;
  VectorOps<T> ops_;
  const ExampleInputs<T>& inputs_;
  SupportBlocks<T> blocks_;
  std::size_t outputs_;
  CacheOptions options_;
  StreamRows<T> rows_;
  const T* row_ = nullptr;  // of the last Scores call
  std::uint32_t pending_ = 0;
  std::size_t stride_ = 0;
  AlignedVector<double> tau_;     // [output][slot]
  AlignedVector<double> scores_;  // [output][slot]
  AlignedVector<double> self_, labels_, margins_, scratch_;
  AlignedVector<double> vacant_;  // by slot, also beyond the last: 0 where a member is, else 1
  std::vector<std::uint32_t> examples_;
  std::vector<std::uint8_t> in_use_;
  std::vector<std::uint64_t> arrival_;
  std::vector<std::vector<T>> held_;  // the row over the slots as they were when the member came in
  std::uint64_t arrivals_ = 0;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  AlignedVector<T> removal_row_;
};

extern template class ScoredCache<float>;
extern template class ScoredCache<double>;

}  // namespace okbench
