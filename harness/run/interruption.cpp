#include "harness/run/interruption.h"

#include <csignal>

namespace okbench {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<void (*)()> also{nullptr};

extern "C" void OnSignal(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
  if (void (*const call)() = also) call();
}

}  // namespace

const std::atomic<bool>& WatchSignals() {
  stop_requested = false;
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  if (std::signal(SIGHUP, OnSignal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as nohup has it
  return stop_requested;
}

bool StopRequested() { return stop_requested; }

void SetSignalHook(void (*call)()) { also = call; }

}  // namespace okbench
