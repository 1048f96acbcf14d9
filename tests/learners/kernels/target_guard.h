#pragma once

#include <string>

#include "learners/kernels/target.h"

namespace okbench::testing {

/// Chooses a target and goes back to the best one.
struct TargetGuard {
  explicit TargetGuard(const std::string& name) { SelectTarget(name); }
  TargetGuard(const TargetGuard&) = delete;
  TargetGuard& operator=(const TargetGuard&) = delete;
  ~TargetGuard() { SelectTarget("best"); }
};

}  // namespace okbench::testing
