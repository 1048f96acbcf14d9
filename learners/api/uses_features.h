#pragma once
// UsesFeatures: counts coordinates of an explicit feature map, a cost beside kernel evaluations.

#include <cstdint>

namespace okbench {

class UsesFeatures {
 public:
  virtual ~UsesFeatures() = default;
  /// Return the coordinates of the feature map evaluated for learning (KernelCounts::features).
  virtual std::uint64_t feature_evaluations() const = 0;
};

}  // namespace okbench
