#pragma once
// What there is of learners and losses, as JSON: `okbench list --json`, and what Python's estimators are made
// of.

#include <nlohmann/json.hpp>

#include "learners/api/learner_info.h"

namespace okbench {

/// "stream", "mini-batches", "selection" or "solver".
const char* ProtocolName(Protocol protocol);

/// A list with an object each; docs/adding-a-learner.md tells what is in them.
nlohmann::json LearnersJson();
nlohmann::json LossesJson();

}  // namespace okbench
