#pragma once
// DataJson: how the id of a trial tells its data.

#include <nlohmann/json.hpp>

#include "harness/plan/plan.h"

namespace okbench {

/// The fields of a trial's data that identify it, and the digests of its parts.
nlohmann::json DataJson(const Trial& trial);

}  // namespace okbench
