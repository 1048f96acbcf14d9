#pragma once
// What identifies a trial, as JSON.

#include <nlohmann/json.hpp>

#include "harness/plan/plan.h"

namespace okbench {

/// Everything that determines the trace of a trial: its id is the digest of this. docs/trace-format.md
/// describes it (attribute `spec`).
nlohmann::json Canonical(const Trial& trial);

}  // namespace okbench
