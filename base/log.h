#pragma once
// LogFn: a callback for messages to the user.

#include <functional>
#include <string>

namespace okbench {

/// Receives one line without a newline per call.
using LogFn = std::function<void(const std::string&)>;

/// Discards the message.
inline void NoLog(const std::string& /*line*/) {}

}  // namespace okbench
