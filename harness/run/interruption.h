#pragma once
// Interruption: signals that ask a run to stop.

#include <atomic>

namespace okbench {

/// From now on SIGINT and SIGTERM set the flag that is returned, unset at first: running trials stop. A
/// second signal ends the program at once.
const std::atomic<bool>& WatchSignals();

/// Whether one has come since.
bool AskedToEnd();

/// Called by the signal's handler, too, from now on: only what may be done there. Null: nothing.
void AlsoAtSignal(void (*call)());

}  // namespace okbench
