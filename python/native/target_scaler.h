#pragma once
// TargetScaler: standardises real targets by their running weighted mean and deviation (Welford 1962;
// West 1979).

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "learners/api/model.h"
#include "learners/core/archive.h"

namespace okbench::python {

class TargetScaler {
 public:
  /// Takes the next target into account, and returns it standardised. Throws InvalidArgument if it is too
  /// large.
  double Next(double y, double weight) {
    weights_ += weight;
    const double before = y - mean_;
    mean_ += weight * before / weights_;
    squares_ += weight * before * (y - mean_);
    if (!std::isfinite(squares_)) throw InvalidArgument("y: a target is too large to be standardised");
    return (y - mean_) / deviation();
  }
  /// Replaces targets by standardised ones, in order. Without weights, all are 1.
  void Apply(std::vector<double>& targets, const std::vector<double>& weights) {
    for (std::size_t i = 0; i < targets.size(); ++i)
      targets[i] = Next(targets[i], weights.empty() ? 1 : weights[i]);
  }
  /// A prediction in the units of the targets.
  double Restored(double f) const { return deviation() * f + mean_; }
  /// Converts a model of standardised targets to one of targets: f becomes deviation * f + mean.
  template <class T>
  void Restore(Model<T>& model) const {
    for (double& coefficient : model.coefficients) coefficient *= deviation();
    for (double& weight : model.weights) weight *= deviation();
    for (Model<T>& part : model.parts) Restore(part);
    model.lowest = Restored(model.lowest);
    model.highest = Restored(model.highest);
    model.offsets.resize(model.outputs, 0.0);
    for (double& offset : model.offsets) offset = offset * deviation() + mean_;
  }
  /// Throws InvalidArgument for a state that no targets give.
  void Serialize(Archive& archive) {
    archive.Field("target_weights", weights_);
    archive.Field("target_mean", mean_);
    archive.Field("target_squares", squares_);
    if (!std::isfinite(mean_) || !std::isfinite(squares_) || squares_ < 0 || !(weights_ >= 0))
      Archive::Fail("target_squares", "is not a sum of squares");
  }

  /// Deviation of the targets so far; 1 until two of them differ.
  double deviation() const { return squares_ > 0 ? std::sqrt(squares_ / weights_) : 1; }

 private:
  double weights_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace okbench::python
