#include "harness/system/allocation_counter.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/platform.h"

namespace okbench {
namespace {

thread_local AllocationCounter* active = nullptr;

}  // namespace

struct AllocationHooks {
  static void Add(void* memory, std::int64_t sign) {
    if (active == nullptr || memory == nullptr) return;
    active->bytes_ += sign * static_cast<std::int64_t>(UsableBytes(memory));
    active->peak_ = std::max(active->peak_, active->bytes_);
  }
  static void* Allocate(std::size_t size, std::size_t alignment) {
    size = std::max<std::size_t>(size, 1);
    // aligned_alloc() needs a multiple of the alignment.
    void* memory = alignment == 0
                       ? std::malloc(size)
                       : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    Add(memory, 1);
    return memory;
  }
  static void Free(void* memory) noexcept {
    Add(memory, -1);
    std::free(memory);
  }
};

// Sanitized builds define OKBENCH_SANITIZED.
#ifdef OKBENCH_SANITIZED
const bool AllocationCounter::kCounts = false;
#else
const bool AllocationCounter::kCounts = true;
#endif

AllocationCounter::Scope::Scope(AllocationCounter& counter) : counter_(counter) { active = &counter_; }
AllocationCounter::Scope::~Scope() { active = nullptr; }

}  // namespace okbench

#ifndef OKBENCH_SANITIZED
// The array, nothrow and sized forms of the standard library call these.
void* operator new(std::size_t size) { return okbench::AllocationHooks::Allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return okbench::AllocationHooks::Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { okbench::AllocationHooks::Free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { okbench::AllocationHooks::Free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  okbench::AllocationHooks::Free(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  okbench::AllocationHooks::Free(memory);
}
#endif
