#pragma once
// Running one trial: data + learner + protocol -> trace.

#include <cstddef>

#include "harness/plan/plan.h"
#include "harness/trial/data_cache.h"
#include "harness/trial/stop_token.h"
#include "harness/trial/trace.h"

namespace okbench {

/// Runs a trial. Throws TrialFailure, or Interrupted.
Trace RunTrial(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead);

}  // namespace okbench
