#pragma once
// CircularExpansion: one or two functions in a reproducing kernel Hilbert space over a circular buffer of
// support vectors.
//
//   f_r = sum_i alpha_ri k(x_i, .)   and, when a trace is kept,   v_r = sum_i beta_ri k(x_i, .)
//
// for r = 0 .. outputs-1.
//
// The buffer keeps the last `capacity` terms and overwrites the oldest (section 5.5 of svmd-2006).
// Coefficients are doubles; to shrink a whole function in O(1) they are kept as alpha = s a and beta = p b +
// q a with three common factors. Sums run in slot order, one chain per lane of a block, then a fixed tree.
// Owns its copies of the inputs. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"
#include "learners/kernels/vector_ops.h"

namespace okbench {

template <class T>
class CircularExpansion {
 public:
  /// `blocks` is the empty support set (KernelEngine::MakeBlocks), for `capacity` >= 1 terms of `outputs`
  /// functions, with or without the trace v. The engine and the inputs must outlive this object.
  CircularExpansion(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                    std::size_t capacity, std::size_t outputs, bool trace, std::size_t tile);

  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// f(x_i) from one kernel row: size() values requested.
  void Values(std::uint32_t i, std::span<double> f);
  /// v_r(x_i) for the example of the last Values call, where needed[r] is not 0; the others become 0. The row
  /// is held: no kernel value is requested.
  void TraceValues(std::span<const double> needed, std::span<double> v);

  /// f <- decay f.
  void Decay(double decay);
  /// v <- keep v - shift f, then f <- decay f: the old terms of eqs. 35 and 45.
  void DecayWithTrace(double decay, double keep, double shift);
  /// v <- (1 - share) v + share f, one coefficient at a time: lazily scaled, an average of functions that
  /// shrink would cancel to nothing. Not to be mixed with DecayWithTrace.
  void MixTrace(double share);
  /// Adds alpha_r k(x_i, .) to f_r and beta_r k(x_i, .) to v_r, in place of the oldest term when full.
  void Insert(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta);

  std::size_t size() const { return blocks_.size(); }
  std::size_t outputs() const { return outputs_; }
  /// Example held by a slot in use.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  double alpha(std::size_t slot, std::size_t r) const { return s_ * Entry(r, slot); }
  double beta(std::size_t slot, std::size_t r) const {
    return p_ * Entry(outputs_ + r, slot) + q_ * Entry(r, slot);
  }

  /// Scores f of several rows of another data set, counted as evaluation: out[row * outputs + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);
  /// The same for v, under MixTrace.
  void EvaluateTrace(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);

 private:
  double Entry(std::size_t column, std::size_t slot) const { return columns_[column * stride_ + slot]; }
  void Reserve(std::size_t slots);
  void Materialise();
  void MaterialiseIfExtreme();

  KernelEngine<T>& engine_;
  VectorOps<T> ops_;
  const Inputs<T>& inputs_;
  std::size_t capacity_;
  std::size_t outputs_;
  bool trace_;
  std::size_t stride_ = 0;  // slots of a column, a multiple of the block
  SupportBlocks<T> blocks_;
  StreamRows<T> rows_;
  std::vector<std::uint32_t> examples_;
  AlignedVector<double> columns_;  // a columns, then b columns
  AlignedVector<double> scratch_;
  const T* row_ = nullptr;          // of the last Values call
  std::vector<double> sums_;        // sum_i a_ri k(x_i, x), from the last Values call
  std::vector<std::size_t> fresh_;  // slots whose b may differ from 0; a long list stands for all
  std::size_t head_ = 0;
  double s_ = 1, p_ = 1, q_ = 0;
};

extern template class CircularExpansion<float>;
extern template class CircularExpansion<double>;

}  // namespace okbench
