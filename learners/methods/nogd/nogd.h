#pragma once
// NOGD (Lu, Hoi, Wang, Zhao and Liu, JMLR 17, 2016): Nystroem online gradient descent. It runs kernel online
// gradient descent on the hinge loss until a function has B support vectors. These are then fixed. With their
// kernel matrix K,
//
//   K = V D V' with the r largest eigenvalues,  z(x) = D^-1/2 V'k(x),  k(x)_j = k(x_j, x)
//   f(x) = w'z(x),  w = D^1/2 V'alpha,  w <- w + eta y z(x)  when y f(x) < 1
//
// w carries the function over onto the r directions, as in the authors' MATLAB code (w = alpha V D^1/2). With
// `start` = zero, w restarts at 0, as in the C++ code of their library. r is a share of B: 0.2 in the
// authors' experiments. Eigenvalues below 1e-7 of the largest one are omitted, because they may come from
// rounding of kernel values.
//
// w is not stored. The coefficients alpha = V D^-1/2 w predict, so scores remain sums of kernel values. A
// step adds eta y V D^-1/2 z to them.
//
// Cost per step: |S| kernel evaluations, and k(x, x) for each example that is added. K needs no further
// values. After the switch, each update costs r feature evaluations and O(B r) time.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "learners/api/uses_features.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/kernels/kernel_map.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::nogd {

struct Options : BudgetedOptions {
  double eta = 0.5;   ///< step size
  double rank = 0.2;  ///< r / B, share of the budget, 0 < rank <= 1
  bool zero = false;  ///< w restarts at 0 when the feature map is made
};

/// r = rank * budget, rounded to the nearest integer, at least 1.
std::size_t RankOf(const Options& options);

/// Feature map D^-1/2 V' of a kernel matrix [member][member], with at most `rank` coordinates. If the matrix
/// is not finite, the map is NaN, and so are all later scores.
KernelMap NystroemMap(std::span<const double> matrix, std::size_t members, std::size_t rank);

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/)
      : options_(options), rank_(RankOf(options)) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score >= 1) return;
    ++updates_;
    if (f.size() < options_.budget)
      Add(f, y);
    else
      Step(f, y);
  }

  static std::vector<std::string> Columns() { return {"updates", "rank", "feature_evaluations"}; }
  void Report(std::span<double> out) const {
    out[0] = static_cast<double>(updates_);
    out[1] = static_cast<double>(map_.coordinates);
    out[2] = static_cast<double>(features_);
  }
  void Serialize(Archive& archive) {
    archive.Field("updates", updates_);
    archive.Field("features", features_);
    archive.Field("gram", gram_);
    archive.Field("alpha", alpha_);
    archive.Field("coordinates", map_.coordinates);
    archive.Field("stride", map_.stride);
    archive.Field("map", map_.columns);
    if (map_.columns.size() != map_.coordinates * map_.stride || alpha_.size() != map_.stride)
      Archive::Fail("map", "does not fit the members");
  }

  /// The feature map; it has no coordinates before there are B support vectors.
  const KernelMap& map() const { return map_; }

 private:
  void Add(SupportFunction<T> f, double y) {
    const double self = f.Self();
    for (std::size_t j = 0; j < f.size(); ++j) gram_.push_back(f.Value(j));
    gram_.push_back(self);
    f.Add(options_.eta * y * f.weight());
    if (f.size() == options_.budget) Switch(f);
  }

  void Switch(SupportFunction<T> f) {
    const std::size_t members = f.size();
    std::vector<double> matrix(members * members);
    for (std::size_t i = 0, entry = 0; i < members; ++i)
      for (std::size_t j = 0; j <= i; ++j, ++entry)
        matrix[i * members + j] = matrix[j * members + i] = gram_[entry];
    gram_ = {};
    map_ = NystroemMap(matrix, members, rank_);
    // alpha <- V V'alpha = V D^-1/2 w. Project(K alpha) gives w = D^-1/2 V'(K alpha) = D^1/2 V'alpha.
    alpha_.assign(map_.stride, 0.0);
    AlignedVector<double> row(map_.stride, 0.0);
    if (!options_.zero)
      for (std::size_t j = 0; j < members; ++j) {
        const double alpha = f.alpha(j);
        for (std::size_t i = 0; i < members; ++i) row[i] += alpha * matrix[j * members + i];
      }
    Project(row);
    for (std::size_t c = 0; c < map_.coordinates; ++c)
      ops_.AddScaled(map_.columns.data() + c * map_.stride, map_.stride, z_[c], alpha_.data());
    f.SetAlphas(alpha_);
  }

  // z_ = D^-1/2 V'row, not counted as feature evaluations.
  void Project(const AlignedVector<double>& row) {
    z_.assign(map_.coordinates, 0.0);
    for (std::size_t c = 0; c < map_.coordinates; ++c)
      for (std::size_t j = 0; j < map_.stride; ++j) z_[c] += map_.columns[c * map_.stride + j] * row[j];
  }

  void Step(SupportFunction<T> f, double y) {
    row_.assign(map_.stride, 0.0);
    for (std::size_t j = 0; j < f.size(); ++j) row_[j] = f.Value(j);
    z_.resize(map_.coordinates);
    f.Map(map_, row_.data(), z_.data());
    features_ += map_.coordinates;
    for (std::size_t c = 0; c < map_.coordinates; ++c)
      ops_.AddScaled(map_.columns.data() + c * map_.stride, map_.stride,
                     options_.eta * y * f.weight() * z_[c], alpha_.data());
    f.SetAlphas(alpha_);
  }

  Options options_;
  std::size_t rank_;
  VectorOps<double> ops_;
  std::vector<double> gram_;  // lower half of K, row by row, until there are B support vectors
  KernelMap map_;
  AlignedVector<double> alpha_, row_;  // by place, padded to stride
  std::vector<double> z_;
  std::uint64_t updates_ = 0, features_ = 0;
};

template <class T>
class Nogd final : public OneVsRest<T, Method>, public UsesFeatures {
 public:
  using OneVsRest<T, Method>::OneVsRest;
  std::uint64_t feature_evaluations() const override { return this->counts().features; }
};

}  // namespace okbench::nogd
