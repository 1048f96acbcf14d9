#pragma once
// Coherence criterion (Richard, Bermudez and Honeine 2009): x joins a dictionary S that only grows if
//
//   max_j |k(x, s_j)| / sqrt(k(x, x) k(s_j, s_j)) <= mu_0

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "learners/core/archive.h"

namespace okbench {

class Coherence {
 public:
  std::size_t size() const { return selves_.size(); }
  /// Adds x if the criterion holds, and returns whether it did. `row`: k(x, s_j) for all members, in order.
  /// `self`: k(x, x).
  bool TryAdd(std::span<const double> row, double self, double mu0) {
    double largest = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
      largest = std::max(largest, std::fabs(row[j]) / (std::sqrt(self) * std::sqrt(selves_[j])));
    if (largest > mu0) return false;
    selves_.push_back(self);
    return true;
  }
  void Serialize(Archive& archive) { archive.Field("selves", selves_); }

 private:
  std::vector<double> selves_;  // k(s, s), by place
};

}  // namespace okbench
