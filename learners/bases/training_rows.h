#pragma once
// TrainingRows: base of task learners that sweep over the whole training set. Packs the training rows once,
// caches kernel rows, and stores one column of coefficients per output.

#include <cstdint>
#include <span>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/bases/task_learner.h"
#include "learners/kernels/vector_ops.h"
#include "learners/support/row_cache.h"

namespace okbench {

struct TrainingRowsOptions : TaskOptions {
  double lambda = 1e-4;          ///< regularisation constant of lambda/2 ||f||^2 + mean loss
  std::size_t cache_mib = 1024;  ///< capacity of the kernel-row cache, in MiB
};

template <class Options>
ParameterTable<Options>& AddTrainingRowsParameters(ParameterTable<Options>& table) {
  return AddTaskParameters(table)
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "", "regulariser: lambda/2 ||f||^2 + mean loss")
      .Integer(&Options::cache_mib, "cache_mib", "", {1, 1 << 20}, "MiB", "capacity of the kernel-row cache");
}

template <class T>
class TrainingRows : public TaskLearner<T> {
 public:
  std::size_t support_vectors() const override { return support_.size(); }
  double coefficient(std::size_t output, std::uint32_t i) const {
    return coefficients_[output * this->size() + i];
  }

 protected:
  TrainingRows(const TrainingRowsOptions& options, const LearnerContext<T>& context);

  std::span<const double> Coefficients() const override { return coefficients_; }
  /// Sets the coefficients of a training example, one per output.
  void SetCoefficients(std::uint32_t i, std::span<const double> values);
  /// Computes f(x_i, .) under the model from the cached row. Does not call CountRequested: the method must.
  void Scores(std::uint32_t i, std::span<double> f);
  /// Training examples with a nonzero coefficient, unordered.
  std::span<const std::uint32_t> support() const { return support_; }
  /// Whether training example i has a nonzero coefficient.
  bool holds(std::uint32_t i) const { return place_[i] != kNone; }
  /// k(x_i, .) over the training set; valid until the second next call.
  const T* Row(std::uint32_t i) { return rows_.Row(i); }
  /// All training examples.
  std::span<const std::uint32_t> all() const { return all_; }

  SupportBlocks<T> blocks_;  // the whole training set

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  RowCache<T> rows_;
  VectorOps<T> ops_;
  std::size_t stride_;
  AlignedVector<double> columns_;     // [output][slot], padded for weighted sums
  std::vector<double> coefficients_;  // the same, [output][training example]
  AlignedVector<double> scratch_;
  std::vector<std::uint32_t> all_, support_, place_;  // place_[i]: index of example i in support_
};

/// Cost of sweeps over the training set with cached rows. Each example costs `sums` weighted sums over the
/// set.
Cost TrainingRowsCost(const Workload& work, std::size_t cache_mib, double sums);

extern template class TrainingRows<float>;
extern template class TrainingRows<double>;

}  // namespace okbench
