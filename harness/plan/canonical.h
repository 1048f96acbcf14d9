#pragma once
// Canonical: the JSON whose digest is the id of a trial.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// Everything that determines the trace of a trial. The trial id is the first 16 hexadecimal digits of the
/// SHA-256 of this JSON. Format: docs/reference/traces.md, attribute `spec`.
nlohmann::json Canonical(const Trial& trial);

/// The trial id of this JSON.
std::string TrialId(const nlohmann::json& canonical);

}  // namespace okbench
