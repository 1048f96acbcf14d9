#pragma once
// Model: what a learner predicts with, on its own, when learning is over or between two chunks of it.
//
//   f_r(x) = sum_s coefficient(r, s) k(x_s, x) + offset_r          with support vectors x_s, or
//   f_r(x) = <w, x> + offset_r                                     of linear methods, which keep none
//   f_r(x) = <w_r, z(x)> + offset_r                                over random features (random_features.h)
//
// Binary labels, novelty and real targets have one output; f > 0 predicts +1. Several classes have one each,
// and the largest score predicts, the lowest class among equals. (Methods that learn outputs of a task have
// two outputs for binary labels, -1 first.) Novelty: the margin is taken off, so that f < 0 is new.

#include <cstddef>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "learners/core/examples.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/kernel.h"
#include "learners/kernels/random_features.h"

namespace okbench {

template <class T>
struct Model {
  Kernel kernel;
  std::size_t outputs = 1;
  /// The support vectors; labels mean nothing. Null: none.
  std::shared_ptr<const Examples<T>> vectors{};
  std::vector<double> coefficients{};  ///< [output][support vector]
  std::vector<double> offsets{};       ///< one an output; empty: 0
  /// Of linear methods one a feature, of random features [output][coordinate]; else empty.
  std::vector<double> weights{};
  std::shared_ptr<const Examples<T>> components{};  ///< the u_d of random features; else null
};

/// Of the precision that the learner has.
using AnyModel = std::variant<Model<float>, Model<double>>;

/// A learner that can tell its model: a copy, in which support vectors without a coefficient are left out.
class GivesModel {
 public:
  virtual ~GivesModel() = default;
  /// Throws InvalidArgument where outputs are searched for (boxes).
  virtual AnyModel CurrentModel() const = 0;
};

/// Scores of rows that no learner has seen, counted as evaluation cost. Not thread-safe.
template <class T>
class Predictor {
 public:
  /// Throws InvalidArgument when the model's sizes disagree.
  explicit Predictor(Model<T> model);

  /// out[i * outputs + r] = f_r(row i): one kernel evaluation a row and support vector, or one feature a row
  /// and coordinate. Throws InvalidArgument for rows of another number of features.
  void Predict(const RowSource<T>& rows, std::span<double> out);

  const Model<T>& model() const { return model_; }
  const KernelCounts& counts() const { return map_ ? map_->counts() : engine_.counts(); }
  std::size_t support_vectors() const { return model_.vectors ? model_.vectors->size() : 0; }

 private:
  // Of rows first .. first + count - 1, which are put into `piece`.
  void Score(const Inputs<T>& rows, std::size_t first, std::size_t count, SupportBlocks<T> piece,
             std::span<double> out);
  void MapRows(const RowSource<T>& rows, std::span<double> out);

  Model<T> model_;
  KernelEngine<T> engine_;
  Inputs<T> vectors_;
  std::unique_ptr<RandomFeatures<T>> map_;
  std::vector<std::uint32_t> all_;
  AlignedVector<double> sums_;
};

/// A model of the training examples that have a coefficient: coefficients[output * training + i] is that of
/// example i in output r. Offsets are 0.
template <class T>
Model<T> ModelOf(const Kernel& kernel, const Examples<T>& training, std::span<const double> coefficients);

extern template class Predictor<float>;
extern template class Predictor<double>;
extern template Model<float> ModelOf(const Kernel&, const Examples<float>&, std::span<const double>);
extern template Model<double> ModelOf(const Kernel&, const Examples<double>&, std::span<const double>);

}  // namespace okbench
