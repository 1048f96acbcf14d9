#pragma once
// ResidualSampler: importance sampling of functional descent (sfd-2013, section 3.3). Draws the examples of a
// round without replacement, with probability proportional to their residual margins max(0, max_y rho_iy).
// Keeps the scores of the whole training set up to date.
//
// Cost per update: N kernel evaluations for each example that it adds, in place of the scores of the batch.
//
// Holds references to the engine and the training set, which must outlive it. Not thread-safe.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learners/core/math.h"
#include "learners/core/random.h"
#include "learners/kernels/engine.h"
#include "learners/support/columns.h"

namespace okbench {

template <class T>
class ResidualSampler {
 public:
  /// `columns` is the number of expansions of the model.
  ResidualSampler(KernelEngine<T>& engine, const Inputs<T>& train, std::size_t columns)
      : engine_(engine),
        train_(train),
        blocks_(PackAll(engine, train, static_cast<const RowSource<T>*>(nullptr))),
        columns_(columns),
        scores_(columns * blocks_.slots(), 0.0) {}

  /// sum_j coefficient(column, j) k(x_j, x_i) of the current model.
  double score(std::size_t column, std::uint32_t i) const { return scores_[column * blocks_.slots() + i]; }

  /// Draws `count` of `examples` training examples, sorted. `residual(i)` is the residual margin of example
  /// i. Draws an exponential variate with this rate for each example and takes the examples with the smallest
  /// variates (Efraimidis and Spirakis 2006). Examples without a positive residual margin come last, in
  /// random order. Valid until the next call.
  template <class Residual>
  std::span<const std::uint32_t> Draw(std::size_t count, std::size_t examples, Random& random,
                                      const Residual& residual) {
    keys_.clear();
    for (std::uint32_t i = 0; i < examples; ++i) {
      const double weight = std::max(0.0, residual(i));
      const double variate = -Log(1 - random.Uniform());
      keys_.emplace_back(weight > 0 ? variate / weight : kNoResidual * (1 + variate), i);
    }
    std::nth_element(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(count) - 1, keys_.end());
    drawn_.clear();
    for (std::size_t i = 0; i < count; ++i) drawn_.push_back(keys_[i].second);
    std::sort(drawn_.begin(), drawn_.end());
    return drawn_;
  }

  /// Adds an update to the scores: coefficients[column * rows.size() + r] k(x_rows[r], .).
  void Add(std::span<const std::uint32_t> rows, std::span<const double> coefficients) {
    if (rows.empty()) return;
    engine_.Accumulate(blocks_, train_, rows, coefficients.data(), columns_, Purpose::kLearning, true,
                       scores_.data(), blocks_.slots());
  }

 private:
  static constexpr double kNoResidual = 1e300;  // sort key of an example without a positive residual margin

  KernelEngine<T>& engine_;
  const Inputs<T>& train_;
  SupportBlocks<T> blocks_;  // the whole training set
  std::size_t columns_;
  AlignedVector<double> scores_;  // [column][slot]
  std::vector<std::pair<double, std::uint32_t>> keys_;
  std::vector<std::uint32_t> drawn_;
};

}  // namespace okbench
