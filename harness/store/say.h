#pragma once

#include <functional>
#include <string>

namespace okbench {

/// Who is told, a line at a time, what a function finds on its way.
using Say = std::function<void(const std::string&)>;

/// Nobody.
inline void Silence(const std::string& /*line*/) {}

}  // namespace okbench
