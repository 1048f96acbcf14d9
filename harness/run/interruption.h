#pragma once
// Interruption: stops a run on SIGINT, SIGTERM or SIGHUP.

#include <atomic>

namespace okbench {

/// Clears the returned flag and installs handlers for SIGINT, SIGTERM and SIGHUP that set it. An ignored
/// SIGHUP stays ignored. Running trials poll the flag and stop. A second signal of the same kind ends the
/// program.
const std::atomic<bool>& WatchSignals();

/// True if a signal arrived since the last WatchSignals().
bool StopRequested();

/// Sets a function that the signal handler also calls; null: none.
/// REQUIRES: the function is async-signal-safe.
void SetSignalHook(void (*call)());

}  // namespace okbench
