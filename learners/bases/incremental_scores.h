#pragma once
// IncrementalScores: scores of a fixed set of examples under changing expansions over the training set,
//   S_c(z) = sum_i coefficient_c(i) k(x_i, z).
// An update evaluates kernel values only for training examples whose coefficients have changed since the last
// update, one per scored example. Scale and Mix follow operations on whole expansions without evaluations.
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
  /// `expansions` is the number of coefficient columns. `followed` are the scored examples, packed by the
  /// first update.
  IncrementalScores(KernelEngine<T>& engine, const Inputs<T>& training, const Inputs<T>& followed,
                    std::size_t expansions, Purpose purpose);

  /// Updates the scores. `coefficients` is [expansion][training example].
  void Update(std::span<const double> coefficients);

  /// Records that expansion c was multiplied by `factor` since the last update (Expansion::Scale).
  void Scale(std::size_t c, double factor);
  /// Records that expansion c became keep * c + share * other (Expansion::Mix). Call Scale and Mix in the
  /// order of the operations on the coefficients: otherwise unchanged coefficients differ in their last bits,
  /// and are evaluated again.
  void Mix(std::size_t c, double keep, std::size_t other, double share);

  /// Resets all scores to 0 after the training or scored examples were replaced.
  void Restart();

  /// Scores under expansion c after the last update, one per scored example.
  std::span<const double> Scores(std::size_t c) const;
  std::size_t size() const { return followed_.rows->size(); }

 private:
  KernelEngine<T>& engine_;
  const Inputs<T>& training_;
  const Inputs<T>& followed_;
  std::size_t expansions_;
  Purpose purpose_;
  std::optional<SupportBlocks<T>> blocks_;
  std::vector<double> applied_;  // coefficients included in scores_
  AlignedVector<double> scores_;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> changed_;
  std::vector<double> changes_;
};

extern template class IncrementalScores<float>;
extern template class IncrementalScores<double>;

}  // namespace okbench
