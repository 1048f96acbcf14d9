#pragma once
// IncrementalScores: the scores of a fixed set of examples under expansions over the training set,
//   S_c(z) = sum_i coefficient_c(i) k(x_i, z),
// that follow the coefficients: only training examples whose coefficients have changed since the last update
// cost kernel evaluations, one for each example followed. What scales or mixes whole expansions is told by
// Scale and Mix, and costs none.
//
// Refers to the engine and the inputs, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learners/kernels/engine.h"

namespace okbench {

template <class T>
class IncrementalScores {
 public:
  /// `expansions` is the number of coefficient columns c. Nothing is packed before the first update.
  IncrementalScores(KernelEngine<T>& engine, const Inputs<T>& training, const Inputs<T>& followed,
                 std::size_t expansions, Purpose purpose);

  /// `coefficients` has one entry per expansion and training example: [expansion][example].
  void Update(std::span<const double> coefficients);

  /// Expansion c was multiplied by a factor since the last update, in its coefficients (Expansion::Scale).
  void Scale(std::size_t c, double factor);
  /// Expansion c has become keep * c + share * other (Expansion::Mix). Call Scale and Mix in the order in
  /// which the coefficients went through them: coefficients that nothing else has changed then agree to the
  /// last bit.
  void Mix(std::size_t c, double keep, std::size_t other, double share);

  /// The training examples, or those followed, are others now: all starts from 0.
  void Restart();

  /// Scores under expansion c after the last update, one per example followed.
  std::span<const double> Scores(std::size_t c) const;
  std::size_t size() const { return followed_.rows->size(); }

 private:
  KernelEngine<T>& engine_;
  const Inputs<T>& training_;
  const Inputs<T>& followed_;
  std::size_t expansions_;
  Purpose purpose_;
  std::optional<SupportBlocks<T>> blocks_;
  std::vector<double> applied_;  // coefficients that the scores hold
  AlignedVector<double> scores_;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> changed_;
  std::vector<double> changes_;
};

extern template class IncrementalScores<float>;
extern template class IncrementalScores<double>;

}  // namespace okbench
