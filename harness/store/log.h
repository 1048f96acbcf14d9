#pragma once
// LogFn: receives messages for the user, one line each.

#include <functional>
#include <string>

namespace okbench {

using LogFn = std::function<void(const std::string&)>;

/// Discards the message.
inline void NoLog(const std::string& /*line*/) {}

}  // namespace okbench
