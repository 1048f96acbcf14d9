#pragma once
// Memory that this process may use.

#include <cstdint>

namespace okbench {

/// The memory of the machine, or the limit of this process (ulimit -v) if it is smaller; in bytes.
std::uint64_t MemoryLimit();

}  // namespace okbench
