#pragma once
// UsesFeatures: what a learner with an explicit feature map costs beside kernel evaluations.

#include <cstdint>

namespace okbench {

class UsesFeatures {
 public:
  virtual ~UsesFeatures() = default;
  /// Coordinates of the feature map evaluated for learning (KernelCounts::features).
  virtual std::uint64_t feature_evaluations() const = 0;
};

}  // namespace okbench
