#pragma once
// Environment variables as text.

#include <cstdlib>
#include <string>

namespace okbench {

/// The variable's value, or "" when it is not set.
inline std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace okbench
