#pragma once
// ScoreStore: the scores f_0(x_i) = sum_s alpha_s k(x_s, x_i) that LaSVM holds, in slots, and the kernel rows
// over these slots that its steps go along. g_i = y_i - f_0(x_i).
//
// TrainingSetScores holds the scores of all training examples, each in a slot of its own; rows are whole rows
// over the training set. SupportSetScores holds those of the members alone, and sums the score of any other
// example anew whenever it is asked for; rows are over the members.
//
// Refers to the engine and the training set, which must outlive it. Not thread-safe.

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

  /// f_0 of any training example.
  virtual double Score(std::uint32_t i) = 0;
  /// The example becomes a member, without a coefficient, and has this score.
  virtual void Enter(std::uint32_t i, double score) = 0;
  /// The member has no coefficient and is one no more.
  virtual void Leave(std::uint32_t i) = 0;
  /// k(x_i, .) over the slots, valid until the second next call of Row or Score, or the next Enter.
  virtual const T* Row(std::uint32_t i) = 0;
  /// The member's coefficient is now this; its part in the scores is Step's.
  virtual void SetCoefficient(std::uint32_t i, double alpha) = 0;
  /// f_0 of all training examples, or none when they are not held.
  virtual std::span<const double> TrainingScores() const = 0;

  /// Whose slot it is.
  virtual std::uint32_t Example(std::size_t slot) const = 0;

  /// The member's rank: of equal gradients the lowest rank's is the extreme.
  void Rank(std::uint32_t i, std::uint32_t rank) { contenders_.SetRank(slot(i), rank); }
  /// What Rank has set.
  std::uint32_t rank(std::uint32_t i) const { return contenders_.rank(slot(i)); }
  /// The member, of this label, may have the highest gradient, the lowest.
  void Mark(std::uint32_t i, double label, bool highest, bool lowest) {
    contenders_.Mark(slot(i), static_cast<float>(label), highest, lowest);
  }
  /// It may have neither, as before it was marked.
  void Unmark(std::uint32_t i) { contenders_.Unmark(slot(i)); }
  /// Adds step (k(x_i, .) - k(x_j, .)), given by the rows, to all scores that are held, and finds the
  /// extremes of the gradients that are then marked.
  Extremes Step(const T* row_i, const T* row_j, double step) {
    return ops_.StepAndFindExtremes(row_i, row_j, step, scores_.data(), contenders_);
  }
  /// The extremes of the gradients that are marked, by slot.
  Extremes FindExtremes() const { return ops_.FindExtremes(scores_.data(), contenders_); }
  /// f_0 of an example that has a slot.
  double held(std::uint32_t i) const { return scores_[slot(i)]; }
  /// A member's place in rows.
  std::uint32_t slot(std::uint32_t i) const { return slots_.empty() ? i : slots_[i]; }

 protected:
  VectorOps<T> ops_;
  AlignedVector<double> scores_;      // by slot, whole blocks
  Contenders contenders_;             // likewise
  std::vector<std::uint32_t> slots_;  // by example; empty: each example has a slot of its own, in order
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
  const T* Row(std::uint32_t i) override { return rows_.Row(i); }
  void SetCoefficient(std::uint32_t i, double alpha) override { alpha_[this->slots_[i]] = alpha; }
  std::uint32_t Example(std::size_t slot) const override { return rows_.example(slot); }
  std::span<const double> TrainingScores() const override { return {}; }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  void Pack();

  SupportRows<T> rows_;
  AlignedVector<double> alpha_, scratch_;  // by slot; alpha_ is 0 where no member is
};

extern template class TrainingSetScores<float>;
extern template class TrainingSetScores<double>;
extern template class SupportSetScores<float>;
extern template class SupportSetScores<double>;

}  // namespace okbench::lasvm
