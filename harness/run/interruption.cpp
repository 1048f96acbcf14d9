#include "harness/run/interruption.h"

#include <csignal>

namespace okbench {
namespace {

std::atomic<bool> interrupted{false};

extern "C" void OnSignal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& WatchSignals() {
  interrupted = false;
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  return interrupted;
}

}  // namespace okbench
