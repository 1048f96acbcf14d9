#pragma once

#include <string>

#include "learners/kernels/target.h"

namespace okbench::testing {

/// Selects a SIMD target, and restores the best one on destruction.
struct TargetGuard {
  explicit TargetGuard(const std::string& name) { SelectTarget(name); }
  TargetGuard(const TargetGuard&) = delete;
  TargetGuard& operator=(const TargetGuard&) = delete;
  ~TargetGuard() { SelectTarget("best"); }
};

}  // namespace okbench::testing
