#pragma once
// CircularTerms: what expansions over a circular buffer of support vectors share: the buffer, its kernel
// rows, and columns of coefficients of one function f or of two, f and a trace v.
//
// The buffer keeps the last `capacity` terms and overwrites the oldest (section 5.5 of svmd-2006).
// Coefficients are doubles; to shrink a whole function in O(1) they are kept as alpha = s a and beta = p b +
// q a with three common factors. With held rows, the row of each term over the terms before it is kept, so
// that the row of the oldest one costs no evaluation. Owns its copies of the inputs. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"

namespace okbench {

struct CircularOptions {
  std::size_t capacity = 1;  ///< terms, >= 1
  bool trace = false;        ///< keeps v beside f
  bool hold_rows = false;    ///< keeps capacity^2 kernel values
  std::size_t lookahead = 1;  ///< of StreamRows
};

template <class T>
class CircularTerms {
 public:
  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// f <- decay f.
  void Decay(double decay);
  /// v <- keep v - shift f, then f <- decay f: the old terms of eqs. 35 and 45.
  void DecayWithTrace(double decay, double keep, double shift);
  /// v <- (1 - share) v + share f, one coefficient at a time: lazily scaled, an average of functions that
  /// shrink would cancel to nothing. Not to be mixed with DecayWithTrace.
  void MixTrace(double share);

  std::size_t size() const { return blocks_.size(); }
  /// The next term takes the place of the oldest one.
  bool full() const { return size() == options_.capacity; }
  /// Where the next term goes.
  std::size_t next_slot() const { return head_; }
  /// k(x, x_oldest) of the last example fetched.
  double OldestValue() const { return static_cast<double>(row_[head_]); }
  /// Example held by a slot in use, among the rows that were there when it came in.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  /// The slots in use, and the rows that they hold.
  std::vector<std::size_t> UsedSlots() const;
  const SupportBlocks<T>& blocks() const { return blocks_; }

 protected:
  /// `blocks` is the empty support set (KernelEngine::MakeBlocks); `columns`: coefficients of a term in f.
  /// The engine and the inputs must outlive this object.
  CircularTerms(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                const CircularOptions& options, std::size_t columns);
  ~CircularTerms() = default;

  /// The kernel row of an example, kept until the next call: size() values requested.
  const T* Fetch(std::uint32_t i) { return row_ = rows_.Row(blocks_, i); }
  /// The row of the last Fetch.
  const T* row() const { return row_; }
  /// The row of the term at next_slot() over all slots, `self` at its own place; rows must be held. Valid
  /// until the next call.
  const T* OldestRow(double self);

  /// Puts the example in place of the oldest term, with alpha and beta, one entry a column; the last Fetch
  /// was its row.
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
  void Materialise();
  void MaterialiseIfExtreme();

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  CircularOptions options_;
  std::size_t columns_;
  std::size_t stride_ = 0;  // slots of a column, a multiple of the block
  SupportBlocks<T> blocks_;
  StreamRows<T> rows_;
  std::vector<std::uint32_t> examples_;
  AlignedVector<double> values_;      // a columns, then b columns
  std::vector<std::vector<T>> held_;  // by slot: its row when it came in
  AlignedVector<T> oldest_;
  const T* row_ = nullptr;
  std::vector<std::size_t> fresh_;  // slots whose b may differ from 0; a long list stands for all
  std::size_t head_ = 0;
  double s_ = 1, p_ = 1, q_ = 0;
};

extern template class CircularTerms<float>;
extern template class CircularTerms<double>;

}  // namespace okbench
