#pragma once
// ScoreStore: the scores f_0(x_i) = sum_s alpha_s k(x_s, x_i) that LaSVM keeps, by slot, and the kernel rows
// over these slots that its steps need. g_i = y_i - f_0(x_i).
//
// TrainingSetScores keeps the scores of all training examples, one slot each; rows cover the training set.
// SupportSetScores keeps the scores of members only and sums the score of any other example on each call;
// rows cover the members.
//
// Holds references to the engine and the training set, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/kernels/vector_ops.h"
#include "learners/methods/lasvm/support_rows.h"
#include "learners/support/row_cache.h"

namespace okbench::lasvm {

template <class T>
class ScoreStore {
 public:
  virtual ~ScoreStore() = default;

  /// f_0(x_i) for any training example i.
  virtual double Score(std::uint32_t i) = 0;
  /// Makes example i a member with coefficient 0 and this score.
  virtual void Enter(std::uint32_t i, double score) = 0;
  /// Removes member i. REQUIRES: its coefficient is 0.
  virtual void Leave(std::uint32_t i) = 0;
  /// Kernel row k(x_i, .) over the slots. Valid until the second next call of Row or Score, or the next
  /// Enter.
  virtual const T* Row(std::uint32_t i) = 0;
  /// Prepares the next calls of Score for these examples. Affects speed and `computed` only.
  virtual void Prefetch(std::span<const std::uint32_t> /*examples*/) {}
  /// Drops the cached kernel row of example i, which is not a member and is not examined again soon.
  virtual void DropRow(std::uint32_t /*i*/) {}
  /// Records the member's coefficient. Does not change scores; Step does.
  virtual void SetCoefficient(std::uint32_t i, double alpha) = 0;
  /// f_0 of all training examples; empty if they are not kept.
  virtual std::span<const double> TrainingScores() const = 0;

  /// Training example in a slot.
  virtual std::uint32_t Example(std::size_t slot) const = 0;

  /// Sets the rank of member i. Among equal gradients, the lowest rank is the extreme.
  void Rank(std::uint32_t i, std::uint32_t rank) { contenders_.SetRank(slot(i), rank); }
  /// Rank of member i.
  std::uint32_t rank(std::uint32_t i) const { return contenders_.rank(slot(i)); }
  /// Includes member i, with this label, in the search for the highest gradient, the lowest gradient, or
  /// both.
  void Mark(std::uint32_t i, double label, bool highest, bool lowest) {
    contenders_.Mark(slot(i), static_cast<float>(label), highest, lowest);
  }
  /// Excludes example i from both searches.
  void Unmark(std::uint32_t i) { contenders_.Unmark(slot(i)); }
  /// Adds step (k(x_i, .) - k(x_j, .)) to all kept scores, then returns the extremes of the marked gradients.
  /// O(slots).
  Extremes Step(const T* row_i, const T* row_j, double step) {
    return ops_.StepAndFindExtremes(row_i, row_j, step, scores_.data(), contenders_);
  }
  /// Extremes of the marked gradients, by slot. O(slots).
  Extremes FindExtremes() const { return ops_.FindExtremes(scores_.data(), contenders_); }
  /// Length of a kernel row.
  std::size_t slots() const { return contenders_.slots(); }
  /// f_0(x_i). REQUIRES: example i has a slot.
  double held(std::uint32_t i) const { return scores_[slot(i)]; }
  /// Slot of a member: its index in rows.
  std::uint32_t slot(std::uint32_t i) const { return slots_.empty() ? i : slots_[i]; }

 protected:
  VectorOps<T> ops_;
  AlignedVector<double> scores_;      // by slot, padded to whole blocks
  Contenders contenders_;             // by slot
  std::vector<std::uint32_t> slots_;  // by example; empty: slot i holds example i
};

template <class T>
class TrainingSetScores final : public ScoreStore<T> {
 public:
  TrainingSetScores(KernelEngine<T>& engine, const Inputs<T>& train, std::size_t cache_bytes);

  double Score(std::uint32_t i) override { return this->held(i); }
  void Enter(std::uint32_t /*i*/, double /*score*/) override {}
  void Leave(std::uint32_t /*i*/) override {}
  const T* Row(std::uint32_t i) override { return rows_.Row(i); }
  void SetCoefficient(std::uint32_t /*i*/, double /*alpha*/) override {}
  std::uint32_t Example(std::size_t slot) const override { return static_cast<std::uint32_t>(slot); }
  std::span<const double> TrainingScores() const override { return {this->scores_.data(), blocks_.size()}; }

 private:
  SupportBlocks<T> blocks_;  // the whole training set
  RowCache<T> rows_;
};

template <class T>
class SupportSetScores final : public ScoreStore<T> {
 public:
  SupportSetScores(KernelEngine<T>& engine, const Inputs<T>& train, std::size_t cache_bytes);

  double Score(std::uint32_t i) override;
  void Enter(std::uint32_t i, double score) override;
  void Leave(std::uint32_t i) override;
  const T* Row(std::uint32_t i) override { return rows_.Row(i, this->slots_[i]); }
  void Prefetch(std::span<const std::uint32_t> examples) override;
  void DropRow(std::uint32_t i) override { rows_.Drop(i); }
  void SetCoefficient(std::uint32_t i, double alpha) override { alpha_[this->slots_[i]] = alpha; }
  std::uint32_t Example(std::size_t slot) const override { return rows_.example(slot); }
  std::span<const double> TrainingScores() const override { return {}; }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  void Pack();

  SupportRows<T> rows_;
  AlignedVector<double> alpha_, scratch_;  // by slot; alpha_ is 0 in free slots
  std::vector<std::uint32_t> unknown_;     // scratch of Prefetch: the examples that are not members
};

extern template class TrainingSetScores<float>;
extern template class TrainingSetScores<double>;
extern template class SupportSetScores<float>;
extern template class SupportSetScores<double>;

}  // namespace okbench::lasvm
