#pragma once
// Runs one trial: data + learner + protocol -> trace.

#include <cstddef>

#include "harness/plan/plan.h"
#include "harness/trace/trace.h"
#include "harness/trial/data_cache.h"
#include "harness/trial/stop_token.h"

namespace okbench {

/// Runs a trial and returns its trace. `lookahead` is the number of rows whose kernel values are computed
/// ahead; it does not change the digest. Throws TrialFailure, Interrupted or UnsupportedMachine. Thread-safe:
/// concurrent trials may share `data`.
Trace RunTrial(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead);

}  // namespace okbench
