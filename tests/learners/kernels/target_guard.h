#pragma once
// The target in use, for the length of a scope.

#include <string>

#include "learners/kernels/target.h"

namespace okbench {

struct TargetGuard {
  explicit TargetGuard(const std::string& name) { SelectTarget(name); }
  ~TargetGuard() { SelectTarget("best"); }
};

}  // namespace okbench
