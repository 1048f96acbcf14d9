#pragma once
// CuttingPlaneSet: the cutting planes of a batch learner (Joachims, Finley and Yu 2009) and their quadratic
// program. Counts the kernel evaluations requested per plane. Base of SVMstruct and SampledCuts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learners/kernels/engine.h"
#include "learners/solvers/cutting_planes.h"

namespace okbench {

/// `Plane::examples` lists the training examples of a plane. Planes without weight for 50 rounds are dropped.
/// Not thread-safe.
template <class Plane>
class CuttingPlaneSet {
 public:
  /// `examples` is the size of the training set, or 0 if planes refer to other rows; the set then grows with
  /// them. `epsilon` is the tolerance, in units of the loss.
  CuttingPlaneSet(double lambda, double epsilon, std::size_t examples)
      : lambda_(lambda), epsilon_(epsilon), model_(lambda), holders_(examples, 0) {}

  std::span<const Plane> planes() const { return planes_; }
  double weight(std::size_t p) const { return model_.weight(p); }
  double slack() const { return model_.slack(); }
  /// Whether the loss of the model is within epsilon of the slack, the lower bound of the planes.
  bool Converged(double mean_loss) const {
    return model_.size() > 0 && mean_loss <= model_.slack() + epsilon_;
  }

  /// Adds a plane with loss `offset` at f = 0; product(added, p) is its inner product with plane p. Requests
  /// the kernel values between its examples and all examples of held planes, each pair once: k_ij = k_ji.
  template <class Engine, class Product>
  void Add(Plane plane, double offset, Engine& engine, const Product& product) {
    planes_.push_back(std::move(plane));
    const Plane& added = planes_.back();
    for (const std::uint32_t i : added.examples) {
      if (i >= holders_.size()) holders_.resize(i + 1, 0);
      ++holders_[i];
    }
    examples_.clear();
    for (std::size_t i = 0; i < holders_.size(); ++i)
      if (holders_[i] > 0) examples_.push_back(static_cast<std::uint32_t>(i));
    const std::uint64_t own = added.examples.size();
    engine.CountRequested(added.examples, examples_, own * (own - 1) / 2);
    Eigen::VectorXd products(static_cast<Eigen::Index>(planes_.size()));
    for (std::size_t p = 0; p < planes_.size(); ++p)
      products[static_cast<Eigen::Index>(p)] = product(added, planes_[p]);
    model_.Add(offset, products);
  }

  /// Solves for new weights, starting from the current ones, to a tolerance of epsilon / 100.
  void Solve() {
    constexpr std::size_t kIdleRounds = 50;
    constexpr double kSolverShare = 0.01;
    model_.Solve(kSolverShare * epsilon_);
    const std::vector<bool> kept = model_.DropIdle(kIdleRounds);
    std::size_t place = 0;
    for (std::size_t p = 0; p < kept.size(); ++p) {
      if (!kept[p]) {
        for (const std::uint32_t i : planes_[p].examples) --holders_[i];
        continue;
      }
      if (place != p) planes_[place] = std::move(planes_[p]);
      ++place;
    }
    planes_.resize(place);
  }

  /// ||f||^2.
  double SquaredNorm() const { return model_.SquaredNorm(); }

  /// visit(plane, share) for the planes of f = sum_p share_p d_p, share_p = weight / lambda.
  template <class Visit>
  void ForEachPlane(const Visit& visit) const {
    for (std::size_t p = 0; p < planes_.size(); ++p)
      if (const double share = model_.weight(p) / lambda_; share != 0) visit(planes_[p], share);
  }

 private:
  double lambda_, epsilon_;
  CuttingPlanes model_;
  std::vector<Plane> planes_;
  std::vector<std::uint32_t> holders_;   // [training example]: number of planes that contain it
  std::vector<std::uint32_t> examples_;  // scratch: examples in any plane
};

}  // namespace okbench
