#pragma once
// Running one trial: data + learner + protocol -> trace.

#include <atomic>
#include <cstdint>

#include "harness/plan/plan.h"
#include "harness/trial/data_cache.h"
#include "harness/trial/trace.h"

namespace okbench {

/// When a trial has to give up.
struct StopToken {
  const std::atomic<bool>* interrupted = nullptr;
  double timeout_seconds = 0;                   ///< of learning; 0: none
  std::atomic<std::uint64_t>* steps = nullptr;  ///< gets the steps done so far, for progress displays
  std::atomic<bool>* loaded = nullptr;          ///< becomes true once the data is there and learning begins
};

/// Runs a trial. Throws TrialFailure, or Interrupted.
Trace RunTrial(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t tile);

}  // namespace okbench
