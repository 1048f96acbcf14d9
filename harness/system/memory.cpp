#include "harness/system/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace okbench {

std::uint64_t MemoryLimit() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const std::uint64_t machine = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? std::min<std::uint64_t>(machine, limit.rlim_cur) : machine;
}

}  // namespace okbench
