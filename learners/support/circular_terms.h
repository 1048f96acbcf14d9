#pragma once
// CircularTerms: base class of expansions over a circular buffer of support vectors. Owns the buffer, its
// kernel rows, and the coefficient columns of a function f and, optionally, a trace v.
//
// The buffer keeps the last `capacity` terms and overwrites the oldest one, or with `smallest` the one with
// the least sum_r alpha_r^2 (section 5.5 of svmd-2006 proposes to remove "the least important point").
// Finding it costs O(capacity) per insertion. Coefficients are doubles. They are stored as alpha = s a and
// beta = p b + q a with three common factors, so that shrinking a function costs O(1). With hold_rows, each
// term keeps its kernel row over the earlier terms. The row of the oldest term then needs no evaluation.
//
// Copies the rows of its terms; refers to the engine and the inputs. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"

namespace okbench {

struct CircularOptions {
  std::size_t capacity = 1;   ///< maximum number of terms, >= 1
  bool trace = false;         ///< whether to keep v in addition to f
  bool smallest = false;      ///< a full buffer replaces the smallest term instead of the oldest
  bool hold_rows = false;     ///< whether to store kernel rows: capacity^2 values
  std::size_t lookahead = 1;  ///< rows evaluated ahead, see StreamRows
};

template <class T>
class CircularTerms {
 public:
  /// Sets the order of the coming examples, for look-ahead.
  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// f <- decay f.
  void Decay(double decay);
  /// v <- keep v - shift f, then f <- decay f: the update of the existing terms in eqs. 35 and 45.
  void DecayWithTrace(double decay, double keep, double shift);
  /// v <- (1 - share) v + share f, one coefficient at a time. With lazy scaling, the average of shrinking
  /// functions would suffer cancellation. Not to be combined with DecayWithTrace().
  void MixTrace(double share);

  /// Number of terms.
  std::size_t size() const { return blocks_.size(); }
  /// Whether the buffer is full: the next term replaces the term at next_slot().
  bool full() const { return size() == options_.capacity; }
  /// Slot of the next term; if full, the slot of the term that it replaces.
  std::size_t next_slot() const { return options_.smallest && full() ? SmallestSlot() : head_; }
  /// k(x, x_oldest) for the example x of the last Fetch(). REQUIRES: full(), and no `smallest`.
  double OldestValue() const { return static_cast<double>(row_[head_]); }
  /// Index of the example in a slot in use, among the training rows at the time of its insertion.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  /// Slots in use, in increasing order.
  std::vector<std::size_t> UsedSlots() const;
  /// The rows of all slots in use.
  const SupportBlocks<T>& blocks() const { return blocks_; }

 protected:
  /// `blocks` is the empty support set (KernelEngine::MakeBlocks). `columns` is the number of coefficients of
  /// f per term. The engine and the inputs must outlive this object.
  CircularTerms(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                const CircularOptions& options, std::size_t columns);
  ~CircularTerms() = default;

  /// The kernel row of an example, valid until the next call. Counts size() values as requested.
  const T* Fetch(std::uint32_t i) { return row_ = rows_.Row(blocks_, i); }
  /// The row of the last Fetch().
  const T* row() const { return row_; }
  /// The kernel row of the oldest term over all slots, with `self` in the slot of that term. Valid until the
  /// next call. REQUIRES: hold_rows, and no `smallest`.
  const T* OldestRow(double self);

  /// Stores example i at next_slot() with coefficients alpha and beta, one entry per column. REQUIRES: the
  /// last Fetch() was for i.
  void Put(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta);

  void Serialize(Archive& archive);

  double AlphaAt(std::size_t column, std::size_t slot) const { return s_ * Entry(column, slot); }
  double BetaAt(std::size_t column, std::size_t slot) const {
    return p_ * Entry(columns_ + column, slot) + q_ * Entry(column, slot);
  }
  // alpha = s a, beta = p b + q a.
  double s() const { return s_; }
  double p() const { return p_; }
  double q() const { return q_; }
  const double* a(std::size_t column) const { return values_.data() + column * stride_; }
  const double* b(std::size_t column) const { return values_.data() + (columns_ + column) * stride_; }
  std::size_t stride() const { return stride_; }
  KernelEngine<T>& engine() { return engine_; }

 private:
  double Entry(std::size_t column, std::size_t slot) const { return values_[column * stride_ + slot]; }
  double* A(std::size_t column) { return values_.data() + column * stride_; }
  double* B(std::size_t column) { return values_.data() + (columns_ + column) * stride_; }
  void Reserve(std::size_t slots);
  std::size_t SmallestSlot() const;
  // Whether the terms occupy the slots 0 .. size() - 1, and all other members fit them.
  bool StateFits() const;
  void Materialise();
  void MaterialiseIfExtreme();

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  CircularOptions options_;
  std::size_t columns_;
  std::size_t stride_ = 0;  // entries per column
  SupportBlocks<T> blocks_;
  StreamRows<T> rows_;
  std::vector<std::uint32_t> examples_;
  AlignedVector<double> values_;             // a columns, then b columns
  std::vector<std::vector<T>> kernel_rows_;  // [slot] its kernel row at insertion
  AlignedVector<T> oldest_;
  const T* row_ = nullptr;
  std::vector<std::size_t> fresh_;  // slots where b may be nonzero; a long list means all slots
  std::size_t head_ = 0;
  double s_ = 1, p_ = 1, q_ = 0;
};

extern template class CircularTerms<float>;
extern template class CircularTerms<double>;

}  // namespace okbench
