#pragma once
// Model: a copy of what a learner has learned, which predicts without the learner.
//
//   f_r(x) = sum_s coefficient(r, s) k(x_s, x) + offset_r          kernel methods, support vectors x_s
//   f_r(x) = <w_r, x> + offset_r                                   linear methods, without support vectors
//   f_r(x) = <w_r, z(x)> + offset_r                                random features (random_features.h)
//
// Binary labels, novelty and real targets have one output; f > 0 predicts +1. Multiclass models have one
// output per class; the largest score predicts, ties go to the lowest class. Task learners (task_learner.h)
// have two outputs for binary labels, -1 first. Novelty: the offset includes the margin, so that f < 0 is
// novel.

#include <cstddef>
#include <cstdint>
#include <limits>
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
  /// The support vectors; their labels are unused. Null: none.
  std::shared_ptr<const Examples<T>> vectors{};
  std::vector<std::uint32_t> rows{};   ///< training rows of the support vectors; empty: not known
  std::vector<double> coefficients{};  ///< [output][support vector]
  std::vector<double> offsets{};       ///< one per output; empty: 0
  /// Linear methods: [output][feature]. Random features: [output][coordinate]. Otherwise empty.
  std::vector<double> weights{};
  std::shared_ptr<const Examples<T>> components{};  ///< frequencies u_d of random features; else null
  /// Models whose scores are combined (CombineScores) with these weights. If there are any, the fields
  /// above are empty, but for `outputs`.
  std::vector<Model> parts{};
  std::vector<double> votes{};
  bool averages =
      false;  ///< the only output is the mean of the parts' scores, each clipped to the bounds below
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
};

/// Combines scores of several models, [model][output], with weights that need not sum to 1. `averages`: the
/// mean of the only output. Else every model votes for the class that it predicts, and not at all with the
/// single score 0.
void CombineScores(std::span<const double> weights, std::span<const double> scores, bool averages,
                   std::span<double> out);

/// A model in the learner's precision.
using AnyModel = std::variant<Model<float>, Model<double>>;

/// A learner that can return its model.
class GivesModel {
 public:
  virtual ~GivesModel() = default;
  /// Return a copy of the current model without support vectors whose coefficients are all 0.
  /// Throws InvalidArgument for box learners, whose outputs are searched for.
  virtual AnyModel CurrentModel() const = 0;
  /// Write the scores of a training row under the current model to `out`, one per output, without a copy of
  /// the model. Count kernel values as Purpose::kMeasuring. Return false if the learner cannot.
  virtual bool ScoreRow(std::uint32_t /*example*/, std::span<double> /*out*/) { return false; }
};

/// Scores new rows under a model. Counts kernel values as Purpose::kMeasuring. Not thread-safe.
template <class T>
class Predictor {
 public:
  /// Throws InvalidArgument when the model's sizes disagree.
  explicit Predictor(Model<T> model);

  /// Writes out[i * outputs + r] = f_r(row i). Costs one kernel evaluation per row and support vector, or one
  /// feature per row and coordinate of random features. Linear methods count nothing. Throws
  /// InvalidArgument if the number of features differs from the model's.
  void Predict(const RowSource<T>& rows, std::span<double> out) { PredictRange(rows, 0, rows.size(), out); }
  /// Predict() for the rows first .. first + count - 1 alone; `out` has room for all rows.
  void PredictRange(const RowSource<T>& rows, std::size_t first, std::size_t count, std::span<double> out);

  const Model<T>& model() const { return model_; }
  const KernelCounts& counts() const {
    return !parts_.empty() ? counts_ : map_ ? map_->counts() : engine_.counts();
  }
  std::size_t support_vectors() const { return model_.vectors ? model_.vectors->size() : 0; }

 private:
  // Scores rows first .. first + count - 1, packed into `piece`.
  void Score(const Inputs<T>& rows, std::size_t first, std::size_t count, SupportBlocks<T> piece,
             std::span<double> out);
  void MapRows(const RowSource<T>& rows, std::size_t first, std::size_t count, std::span<double> out);
  void CombineParts(const RowSource<T>& rows, std::size_t first, std::size_t count, std::span<double> out);

  Model<T> model_;
  KernelEngine<T> engine_;
  Inputs<T> vectors_;
  std::unique_ptr<RandomFeatures<T>> map_;
  std::vector<std::uint32_t> all_;
  AlignedVector<double> sums_;
  std::vector<std::unique_ptr<Predictor>> parts_;
  KernelCounts counts_;  // of the parts
};

/// Builds a model from the training examples with a nonzero coefficient. coefficients[output *
/// training.size() + i] belongs to example i. Offsets are 0.
template <class T>
Model<T> ModelOf(const Kernel& kernel, const Examples<T>& training, std::span<const double> coefficients);

extern template class Predictor<float>;
extern template class Predictor<double>;
extern template Model<float> ModelOf(const Kernel&, const Examples<float>&, std::span<const double>);
extern template Model<double> ModelOf(const Kernel&, const Examples<double>&, std::span<const double>);

}  // namespace okbench
