#pragma once
// MiniBatch: the examples of one round, packed for the kernel engine: their scores under an expansion over
// the training set, and the kernel matrix among them.
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

  /// Takes these training examples, all different; what was held before is dropped.
  void Load(std::span<const std::uint32_t> examples);

  std::size_t size() const { return examples_.size(); }
  std::uint32_t example(std::size_t i) const { return examples_[i]; }
  /// Label of the i-th example, as the training set has it.
  double label(std::size_t i) const { return labels_[i]; }

  /// scores[c * size() + i] = sum_s coefficients[c * support.size() + s] k(x_support[s], x_i), in the order
  /// of the support, for as many columns c as there are coefficients: size() times support.size() values,
  /// requested and computed for learning.
  void Scores(std::span<const std::uint32_t> support, std::span<const double> coefficients,
              std::size_t columns, std::span<double> scores);

  /// K_rj = k(x_i, x_j) for the chosen positions i and all j. The matrix among n chosen examples is
  /// symmetric, so n (n + 1) / 2 values are requested; n * size() are computed.
  /// False when one of them is not finite.
  bool Gram(std::span<const std::uint32_t> chosen);
  /// The same for Q_rj = y_i y_j k(x_i, x_j), binary labels.
  bool SignedGram(std::span<const std::uint32_t> chosen);
  /// K or Q of the last call: a row a chosen example, a column each example of the batch.
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

/// Cost of learning from mini-batches with one expansion over the training set, or two: scores under the
/// support vectors, and the matrix of the batch. Requested: as if all examples drawn so far were support
/// vectors, which is an estimate from above; about: `share` of the training set in the end.
Cost MiniBatchCost(const Workload& work, double share);

extern template class MiniBatch<float>;
extern template class MiniBatch<double>;

}  // namespace okbench
