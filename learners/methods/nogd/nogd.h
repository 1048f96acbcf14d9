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
// Joint step for all classes (the authors' multiclass scheme in their MATLAB library; B support vectors in
// total), with the margin error and the second class s of one_vs_rest.h: w_y gains eta z(x), and w_s loses
// it. Before the map is made, the coefficients of k(x, .) change by these amounts. It is made at the first
// margin error with a full budget, as in their code.
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
#include <vector>

#include "learners/api/uses_features.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/kernels/kernel_map.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::nogd {

struct Options : BudgetedOptions {
  double eta = 0.5;    ///< step size
  double rank = 0.2;   ///< r / B, share of the budget, 0 < rank <= 1
  bool zero = false;   ///< w restarts at 0 when the feature map is made
  bool joint = false;  ///< the joint step; the budget is then that of all classes
};

/// r = rank * budget, rounded to the nearest integer, at least 1.
std::size_t RankOf(const Options& options);

/// Feature map D^-1/2 V' of a kernel matrix [member][member], with at most `rank` coordinates. If the matrix
/// is not finite, the map is NaN, and so are all later scores.
KernelMap NystroemMap(std::span<const double> matrix, std::size_t members, std::size_t rank);

/// The feature map of a set of support vectors. Not thread-safe.
class Features {
 public:
  explicit Features(std::size_t rank) : rank_(rank) {}

  /// Adds x_t, the example of the last Fetch(), to the kernel matrix. Call it before x_t joins `f`.
  template <class T>
  void AddRow(SupportFunction<T> f) {
    const double self = f.Self();
    for (std::size_t j = 0; j < f.size(); ++j) gram_.push_back(f.Value(j));
    gram_.push_back(self);
  }
  /// Makes the map of the members added so far, from their kernel matrix.
  void Make(std::size_t members);
  bool made() const { return map_.stride > 0; }
  /// Releases the kernel matrix, which Carry() needs.
  void Release() { matrix_ = {}; }
  /// out[j] += (V V'alpha)_j: the coefficients of w = D^1/2 V'alpha. out: stride() values.
  void Carry(std::span<const double> alpha, double* out);

  /// Computes z(x_t), counted as feature evaluations.
  template <class T>
  void Project(SupportFunction<T> f) {
    row_.assign(map_.stride, 0.0);
    for (std::size_t j = 0; j < f.size(); ++j) row_[j] = f.Value(j);
    z_.resize(map_.coordinates);
    f.Map(map_, row_.data(), z_.data());
    evaluations_ += map_.coordinates;
  }
  /// out += factor V D^-1/2 z(x_t): the change of the coefficients when w gains factor z(x_t).
  void AddTo(double* out, double factor) {
    for (std::size_t c = 0; c < map_.coordinates; ++c)
      ops_.AddScaled(map_.columns.data() + c * map_.stride, map_.stride, factor * z_[c], out);
  }

  /// It has no coordinates before Make().
  const KernelMap& map() const { return map_; }
  /// Coefficients per function: the members, padded.
  std::size_t stride() const { return map_.stride; }
  void CountUpdate() { ++updates_; }
  /// Coordinates of z; 0 before Make().
  std::size_t rank() const { return map_.coordinates; }
  static auto State() {
    return state::List(state::Column("updates", &Features::updates_), state::Column("rank", &Features::rank),
                       state::Column("feature_evaluations", &Features::evaluations_));
  }
  void Serialize(Archive& archive);

 private:
  std::size_t rank_;
  VectorOps<double> ops_;
  std::vector<double> gram_;    // lower half of K, row by row, before Make()
  std::vector<double> matrix_;  // K, between Make() and Release()
  KernelMap map_;
  AlignedVector<double> row_;  // k(x_t), padded
  std::vector<double> z_;
  std::uint64_t updates_ = 0, evaluations_ = 0;
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/)
      : options_(options), features_(RankOf(options)) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score >= 1) return;
    features_.CountUpdate();
    const double step = options_.eta * y * f.weight();
    if (f.size() < options_.budget) {
      features_.AddRow(f);
      f.Add(step);
      if (f.size() < options_.budget) return;
      features_.Make(f.size());
      alpha_.assign(features_.stride(), 0.0);
      if (!options_.zero) features_.Carry(AlphasOf(f), alpha_.data());
      features_.Release();
    } else {
      features_.Project(f);
      features_.AddTo(alpha_.data(), step);
    }
    f.SetAlphas(alpha_);
  }

  static auto State() { return state::List(state::Part(&Method::features_)); }
  void Serialize(Archive& archive) {
    features_.Serialize(archive);
    archive.Field("alpha", alpha_);
    if (alpha_.size() != features_.stride()) Archive::Fail("alpha", "does not fit the feature map");
  }

  const KernelMap& map() const { return features_.map(); }

  /// The coefficients of the members, by place.
  static std::vector<double> AlphasOf(SupportFunction<T> f) {
    std::vector<double> alphas(f.size());
    for (std::size_t j = 0; j < alphas.size(); ++j) alphas[j] = f.alpha(j);
    return alphas;
  }

  class Joint;

 private:
  Options options_;
  Features features_;
  AlignedVector<double> alpha_;  // by place, padded; empty before the map is made
};

template <class T>
class Method<T>::Joint {
 public:
  explicit Joint(const Options& options) : options_(options), features_(RankOf(options)) {}

  void Learn(FunctionSet<T>& set, const JointLoss& loss) {
    SupportFunction<T> first = set.function(0);  // all functions have its members
    const double step = options_.eta * first.weight();
    features_.CountUpdate();
    if (first.size() < options_.budget) {
      features_.AddRow(first);
      for (std::size_t q = 0; q < set.functions(); ++q)
        set.function(q).Add(q == loss.y ? step : q == loss.second ? -step : 0);
      return;
    }
    const bool switches = !features_.made();
    if (switches) features_.Make(first.size());
    const std::size_t stride = features_.stride();
    alphas_.resize(set.functions() * stride, 0.0);
    if (switches && !options_.zero)
      for (std::size_t q = 0; q < set.functions(); ++q)
        features_.Carry(AlphasOf(set.function(q)), alphas_.data() + q * stride);
    features_.Release();
    features_.Project(first);
    features_.AddTo(alphas_.data() + loss.y * stride, step);
    features_.AddTo(alphas_.data() + loss.second * stride, -step);
    for (std::size_t q = 0; q < set.functions(); ++q)
      if (switches || q == loss.y || q == loss.second)
        set.function(q).SetAlphas(std::span(alphas_).subspan(q * stride, stride));
  }

  static auto State() { return state::List(state::Part(&Joint::features_)); }
  void Serialize(Archive& archive) {
    features_.Serialize(archive);
    archive.Field("alphas", alphas_);
    const std::size_t stride = features_.stride();
    if (stride == 0 ? !alphas_.empty() : alphas_.size() % stride != 0)
      Archive::Fail("alphas", "do not fit the feature map");
  }

 private:
  Options options_;
  Features features_;
  AlignedVector<double> alphas_;  // [class][place], padded; empty before the map is made
};

template <class T>
class Nogd final : public OneVsRest<T, Method>, public UsesFeatures {
 public:
  using OneVsRest<T, Method>::OneVsRest;
  std::uint64_t feature_evaluations() const override { return this->counts().features; }
};

}  // namespace okbench::nogd
