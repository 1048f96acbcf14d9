#include "learners/solvers/cutting_planes.h"

#include <algorithm>

namespace okbench {

CuttingPlanes::CuttingPlanes(double lambda)
    : lambda_(lambda), offsets_(1, 0.0), weights_(1, 1.0), gram_(1, 0.0), stride_(1), idle_(1, 0) {}

void CuttingPlanes::Add(double offset, std::span<const double> products) {
  const std::size_t n = offsets_.size();
  if (n == stride_) {
    std::vector<double> wider(4 * stride_ * stride_, 0.0);
    for (std::size_t p = 0; p < n; ++p)
      std::copy_n(gram_.begin() + static_cast<std::ptrdiff_t>(p * stride_), n,
                  wider.begin() + static_cast<std::ptrdiff_t>(p * 2 * stride_));
    gram_ = std::move(wider);
    stride_ *= 2;
  }
  gram_[n * stride_] = gram_[n] = 0;
  for (std::size_t p = 0; p < products.size(); ++p)
    gram_[n * stride_ + p + 1] = gram_[(p + 1) * stride_ + n] = products[p] / lambda_;
  offsets_.push_back(offset);
  weights_.push_back(0);
  idle_.push_back(0);
}

QpResult CuttingPlanes::Solve(double tolerance) {
  const QpResult result = solver_.Solve(gram_.data(), stride_, offsets_, tolerance, weights_);
  slack_ = 0;
  for (std::size_t p = 1; p < offsets_.size(); ++p) {
    double reached = 0;
    for (std::size_t q = 1; q < offsets_.size(); ++q) reached += weights_[q] * gram_[p * stride_ + q];
    slack_ = std::max(slack_, offsets_[p] - reached);
    idle_[p] = weights_[p] > 0 ? 0 : idle_[p] + 1;
  }
  return result;
}

std::vector<bool> CuttingPlanes::DropIdle(std::size_t solves) {
  std::vector<bool> kept;
  std::vector<std::size_t> places = {0};
  for (std::size_t p = 1; p < offsets_.size(); ++p) {
    kept.push_back(idle_[p] < solves);
    if (kept.back()) places.push_back(p);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j)
      gram_[i * stride_ + j] = gram_[places[i] * stride_ + places[j]];
    offsets_[i] = offsets_[places[i]];
    weights_[i] = weights_[places[i]];
    idle_[i] = idle_[places[i]];
  }
  offsets_.resize(places.size());
  weights_.resize(places.size());
  idle_.resize(places.size());
  return kept;
}

}  // namespace okbench
