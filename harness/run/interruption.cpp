#include "harness/run/interruption.h"

#include <csignal>

namespace okbench {
namespace {

std::atomic<bool> asked_to_end{false};
std::atomic<void (*)()> also{nullptr};

extern "C" void OnSignal(int signal) {
  asked_to_end = true;
  std::signal(signal, SIG_DFL);
  if (void (*const call)() = also) call();
}

}  // namespace

const std::atomic<bool>& WatchSignals() {
  asked_to_end = false;
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  return asked_to_end;
}

bool AskedToEnd() { return asked_to_end; }

void AlsoAtSignal(void (*call)()) { also = call; }

}  // namespace okbench
