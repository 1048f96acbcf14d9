#pragma once
// AsksOracle: what a learner of outputs costs beside kernel evaluations.

#include <cstdint>

namespace okbench {

class AsksOracle {
 public:
  virtual ~AsksOracle() = default;
  /// Loss-augmented arg maxes asked for learning, one an example (outputs/task.h).
  virtual std::uint64_t oracle_calls() const = 0;
};

}  // namespace okbench
