#include "learners/solvers/cutting_planes.h"

#include <algorithm>
#include <utility>

#include "learners/core/sums.h"

namespace okbench {

using Eigen::Index;

CuttingPlanes::CuttingPlanes(double lambda)
    : lambda_(lambda),
      offsets_(Eigen::VectorXd::Zero(1)),
      weights_(Eigen::VectorXd::Ones(1)),
      gram_(Eigen::MatrixXd::Zero(1, 1)),
      idle_(1, 0) {}

void CuttingPlanes::Add(double offset, const Eigen::Ref<const Eigen::VectorXd>& products) {
  const Index n = offsets_.size();
  if (n == gram_.rows()) gram_.conservativeResize(2 * n, 2 * n);
  gram_(n, 0) = gram_(0, n) = 0;
  gram_.col(n).segment(1, n) = products / lambda_;
  gram_.row(n).segment(1, n) = gram_.col(n).segment(1, n).transpose();
  offsets_.conservativeResize(n + 1);
  weights_.conservativeResize(n + 1);
  offsets_[n] = offset;
  weights_[n] = 0;
  idle_.push_back(0);
}

QpResult CuttingPlanes::Solve(double tolerance) {
  const Index n = offsets_.size();
  const QpResult result = solver_.Solve(gram_.topLeftCorner(n, n), offsets_, tolerance, weights_);
  slack_ = 0;
  for (Index p = 1; p < n; ++p) {
    const double reached = Dot(weights_.tail(n - 1), gram_.col(p).segment(1, n - 1));
    slack_ = std::max(slack_, offsets_[p] - reached);
    auto& idle = idle_[static_cast<std::size_t>(p)];
    idle = weights_[p] > 0 ? 0 : idle + 1;
  }
  return result;
}

double CuttingPlanes::SquaredNorm() const {
  double sum = 0;
  const Index n = weights_.size() - 1;
  for (Index p = 1; p <= n; ++p) sum += weights_[p] * Dot(weights_.tail(n), gram_.col(p).segment(1, n));
  return sum / lambda_;
}

std::vector<bool> CuttingPlanes::DropIdle(std::size_t solves) {
  std::vector<bool> kept;
  std::vector<Index> places = {0};
  std::vector<std::size_t> idle = {0};
  for (std::size_t p = 1; p < idle_.size(); ++p) {
    kept.push_back(idle_[p] < solves);
    if (!kept.back()) continue;
    places.push_back(static_cast<Index>(p));
    idle.push_back(idle_[p]);
  }
  const auto count = static_cast<Index>(places.size());
  if (count == offsets_.size()) return kept;
  gram_.topLeftCorner(count, count) = gram_(places, places).eval();
  offsets_ = offsets_(places).eval();
  weights_ = weights_(places).eval();
  idle_ = std::move(idle);
  return kept;
}

}  // namespace okbench
