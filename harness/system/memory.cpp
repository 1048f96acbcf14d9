#include "harness/system/memory.h"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <new>

namespace okbench {
namespace {

thread_local bool failed = false;

// Room for small requests, taken from the front, and empty again once all of them are given back.
class Reserve {
 public:
  void* Take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    const std::size_t whole = (size + kAlignment - 1) / kAlignment * kAlignment;
    if (size > kLargest || whole > sizeof(room_) - used_) return nullptr;
    void* const part = room_ + used_;
    used_ += whole;
    ++parts_;
    return part;
  }
  bool Has(const void* part) const {
    const auto* at = static_cast<const std::byte*>(part);
    return !std::less<>()(at, room_) && std::less<>()(at, room_ + sizeof(room_));
  }
  void GiveBack() {
    const std::lock_guard lock(mutex_);
    if (--parts_ == 0) used_ = 0;
  }

 private:
  static constexpr std::size_t kAlignment = alignof(std::max_align_t), kLargest = 1 << 16;
  alignas(kAlignment) std::byte room_[4 << 20]{};
  std::mutex mutex_;
  std::size_t used_ = 0, parts_ = 0;
};

constinit Reserve reserve;

void Put(const char* text) noexcept {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

[[noreturn]] void End() noexcept {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // one thread tells it for all
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
    Put("okbench: ended by a fault of its own\n");
  } catch (const std::bad_alloc&) {
    SayOutOfMemory();
  } catch (const std::exception& error) {
    Put("okbench: ");
    Put(error.what());
    Put("\n");
  } catch (...) {
    Put("okbench: ended by a fault of its own\n");
  }
  _exit(1);
}

}  // namespace

void GuardMemory() noexcept { std::set_terminate(End); }

bool MemoryRanOut() noexcept { return failed; }

void RequireMemory() {
  if (failed) throw std::bad_alloc();
}

void ForgetShortage() noexcept { failed = false; }

void SayOutOfMemory() noexcept { Put("okbench: out of memory\n"); }

namespace {

void* Allocate(std::size_t size) {
  if (void* const part = std::malloc(size > 0 ? size : 1)) return part;  // NOLINT: this is operator new
  failed = true;
  if (void* const part = reserve.Take(size)) return part;
  throw std::bad_alloc();
}

void Free(void* part) noexcept {
  if (reserve.Has(part))
    reserve.GiveBack();
  else
    std::free(part);  // NOLINT: this is operator delete
}

}  // namespace
}  // namespace okbench

// All other forms but the aligned ones come to these. The aligned ones are the standard library's.
void* operator new(std::size_t size) { return okbench::Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return okbench::Allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* part) noexcept { okbench::Free(part); }
void operator delete(void* part, std::size_t) noexcept { okbench::Free(part); }
