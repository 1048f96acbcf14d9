#pragma once
// DataJson: the data of a trial as part of its id.

#include <nlohmann/json.hpp>

#include "harness/plan/plan.h"

namespace okbench {

/// The identifying fields of a trial's data (base/fields.h), the digests of its parts, the batch size and
/// the digest of the label tree.
nlohmann::json DataJson(const Trial& trial);

}  // namespace okbench
