#pragma once
// ScoredCache: a support set with removal that keeps the scores of its members up to date.
//
//   f_r = sum_i tau_ri k(x_i, .),  r = 0 .. outputs-1
//
// Budget methods look for the member that would be classified with the largest margin without its own
// contribution (budget-2003, figure 3, line 1a):
//
//   m_i = (f_y(x_i) - tau_yi k_ii) - max_{r != y} (f_r(x_i) - tau_ri k_ii)     for several outputs
//   m_i = y_i (f(x_i) - tau_i k_ii)                                            for a single one
//
// The scores f_r(x_i) are stored. The search costs O(size x outputs), and so does the update of the scores
// after an insertion or removal. A removal also needs the kernel row of the removed member. By default the
// row is evaluated again (size() values requested). With `hold_rows` it is assembled from stored rows: no
// value is requested, but up to size()^2 values are stored. Freed slots are reused, lowest first. Copies the
// rows of its members; refers to the engine and the inputs. Not thread-safe.

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
  bool keep_scores = true;  ///< required by Remove() and LargestMargin()
  bool hold_rows = false;   ///< whether to store kernel rows, for removals without evaluation
};

template <class T>
class ScoredCache {
 public:
  /// The engine and the inputs must outlive this object; `blocks` is the empty support set.
  ScoredCache(KernelEngine<T>& engine, const ExampleInputs<T>& inputs, SupportBlocks<T> blocks,
              std::size_t outputs, const CacheOptions& options, std::size_t lookahead);

  /// Sets the order of the coming examples, for look-ahead.
  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// Computes f(x_i) of an example outside the cache. Counts size() values as requested. The row is kept for
  /// a following Insert() or Remove().
  void Scores(std::uint32_t i, std::span<double> f);

  /// Adds tau_r k(x_i, .) to f_r for the example of the last Scores() call. `f` holds its scores, corrected
  /// for removals since then; `self` = k(x_i, x_i) > 0.
  void Insert(std::span<const double> tau, std::span<const double> f, double self);

  struct Candidate {
    std::size_t slot = 0;
    double margin = 0;  ///< without its own contribution
  };
  /// The member with the largest margin, the lowest slot on ties. REQUIRES: size() > 0.
  Candidate LargestMargin();

  /// Removes a member. If not empty, `f` holds the scores of the example of the last Scores() call, not yet
  /// inserted; they are corrected too.
  void Remove(std::size_t slot, std::span<double> f);

  /// Call after the training set was replaced. From then on, the rows of members are taken from the cache.
  void OnRowsAppended();
  void Serialize(Archive& archive);
  /// The rows of all slots in use.
  const SupportBlocks<T>& blocks() const { return blocks_; }

  std::size_t size() const { return blocks_.size(); }
  std::size_t outputs() const { return outputs_; }
  std::size_t slots() const { return examples_.size(); }
  bool in_use(std::size_t slot) const { return in_use_[slot] != 0; }
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  double tau(std::size_t slot, std::size_t r) const { return tau_[r * stride_ + slot]; }
  /// The stored score of a member.
  double score(std::size_t slot, std::size_t r) const { return scores_[r * stride_ + slot]; }

  /// Scores of rows of another data set, counted as evaluation: out[row * outputs + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);

 private:
  static constexpr std::uint32_t kNoExample = static_cast<std::uint32_t>(-1);

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
  const T* row_ = nullptr;  // of the last Scores() call
  std::uint32_t pending_ = 0;
  std::size_t stride_ = 0;
  AlignedVector<double> tau_;     // [output][slot]
  AlignedVector<double> scores_;  // [output][slot]
  AlignedVector<double> self_, labels_, margins_, scratch_;
  AlignedVector<double> vacant_;  // [slot], padded: 0 for a member, else 1
  std::vector<std::uint32_t> examples_;
  std::vector<std::uint8_t> in_use_;
  std::vector<std::uint64_t> arrival_;
  std::vector<std::vector<T>> kernel_rows_;  // [slot] its kernel row at insertion
  std::uint64_t arrivals_ = 0;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  AlignedVector<T> removal_row_;
};

extern template class ScoredCache<float>;
extern template class ScoredCache<double>;

}  // namespace okbench
