#include "learners/solvers/inverse_gram.h"

#include <algorithm>

#include "learners/core/sums.h"

namespace okbench {

double InverseGram::SquaredDistance(std::span<const double> k, std::span<const double> d, double self) {
  return std::max(0.0, self - Dot(k, d));
}

bool InverseGram::Grow(std::span<const double> d, double squared_distance, double self) {
  if (!(squared_distance > kTolerance * self)) return false;
  const double factor = 1 / squared_distance;
  inverse_.AddOuter(factor, d);
  scratch_.resize(d.size());
  for (std::size_t j = 0; j < d.size(); ++j) scratch_[j] = -factor * d[j];
  inverse_.Append(scratch_, factor);
  return true;
}

void InverseGram::Remove(std::size_t p, std::vector<double>& projection) {
  inverse_.Row(p, scratch_);
  const double pivot = scratch_[p];
  inverse_.AddOuter(-1 / pivot, scratch_);
  inverse_.Remove(p);
  projection.clear();
  for (std::size_t j = 0; j < scratch_.size(); ++j)
    if (j != p) projection.push_back(-scratch_[j] / pivot);
}

double InverseGram::Work(double n, double share, double capacity) {
  const double filling = share > 0 ? std::min(n, capacity / share) : n;
  const double last = filling * share;
  return share * (filling * last * last / 3 + (n - filling) * last * last);
}

}  // namespace okbench
