#pragma once
// MiniBatch: the examples of one round, packed for the kernel engine. Computes their scores under an
// expansion over the training set, and their kernel matrix.
//
// Refers to the engine and the inputs, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/core/eigen.h"
#include "learners/kernels/engine.h"

namespace okbench {

template <class T>
class MiniBatch {
 public:
  MiniBatch(KernelEngine<T>& engine, const ExampleInputs<T>& training)
      : engine_(engine), training_(training) {}

  /// Replaces the batch by these training examples. REQUIRES: they are distinct.
  void Load(std::span<const std::uint32_t> examples);

  std::size_t size() const { return examples_.size(); }
  std::uint32_t example(std::size_t i) const { return examples_[i]; }
  /// Label of the i-th example, as stored in the training set.
  double label(std::size_t i) const { return labels_[i]; }
  /// Weight of the loss of the i-th example.
  double weight(std::size_t i) const { return training_.examples->weight(examples_[i]); }
  /// weight(i) label(i).
  double signed_weight(std::size_t i) const { return weight(i) * labels_[i]; }

  /// Writes scores[c * size() + i] = sum_s coefficients[c * support.size() + s] k(x_support[s], x_i) for
  /// c < columns, summed in the order of `support`. Requests and computes size() * support.size() values for
  /// learning.
  void Scores(std::span<const std::uint32_t> support, std::span<const double> coefficients,
              std::size_t columns, std::span<double> scores);

  /// Computes K_rj = w_i w_j k(x_i, x_j) with the weights w, i = chosen[r], for all j. Requests n (n + 1) / 2
  /// values for n chosen examples, whose matrix is symmetric; computes n * size(). Returns false if a value
  /// is not finite.
  bool Gram(std::span<const std::uint32_t> chosen);
  /// As Gram(), for Q_rj = s_i s_j k(x_i, x_j) with signed weights s. REQUIRES: binary labels.
  bool SignedGram(std::span<const std::uint32_t> chosen);
  /// K or Q of the last call: one row per chosen example, one column per example of the batch.
  RowMatrixView<T> gram() const {
    const auto index = [](std::size_t n) { return static_cast<Eigen::Index>(n); };
    return {gram_.data(), index(rows_.size()), index(size()), Eigen::OuterStride<>(index(stride_))};
  }

 private:
  KernelEngine<T>& engine_;
  const ExampleInputs<T>& training_;
  std::optional<SupportBlocks<T>> blocks_;
  std::vector<std::uint32_t> examples_;
  std::vector<double> labels_;
  std::size_t stride_ = 0;
  AlignedVector<T> gram_;
  std::vector<std::uint32_t> rows_;
  AlignedVector<double> sums_;
};

/// Cost of learning from mini-batches with one or two expansions over the training set: scores of the batch
/// and its kernel matrix. `requested` assumes that every example drawn is a support vector, an upper
/// estimate. The other numbers assume that a `share` of the training set are support vectors in the end.
Cost MiniBatchCost(const Workload& work, double share);

extern template class MiniBatch<float>;
extern template class MiniBatch<double>;

}  // namespace okbench
