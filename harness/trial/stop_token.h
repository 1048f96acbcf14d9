#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace okbench {

/// When a trial has to give up.
struct StopToken {
  const std::atomic<bool>* interrupted = nullptr;
  double timeout_seconds = 0;                   ///< of learning; 0: none
  std::function<bool()> poll{};                 ///< asked now and then: true to give up as interrupted
  std::atomic<std::uint64_t>* steps = nullptr;  ///< gets the steps done so far, for progress displays
  std::atomic<bool>* loaded = nullptr;          ///< becomes true once the data is there and learning begins
};

}  // namespace okbench
