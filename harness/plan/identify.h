#pragma once
// Third step of planning: workload, cost and id of a trial.

#include "harness/plan/planned_data.h"

namespace okbench {

/// Sets workload, cost, canonical and id of a sized trial with parameters. Throws InvalidArgument if the cost
/// model rejects the parameters.
Trial Identified(Trial trial, const PlannedData& data);

}  // namespace okbench
