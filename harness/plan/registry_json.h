#pragma once
// The registered learners and losses as JSON, for `okbench help --json` and the Python estimators.

#include <nlohmann/json.hpp>

#include "learners/api/learner_info.h"

namespace okbench {

/// Name of a protocol: "stream", "mini-batches", "selection" or "solver".
const char* ProtocolName(Protocol protocol);

/// An array with one object per learner.
nlohmann::json LearnersJson();
/// An array with one object per loss. An infinite slope is null.
nlohmann::json LossesJson();

}  // namespace okbench
