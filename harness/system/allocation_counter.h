#pragma once
// AllocationCounter: heap memory held by a part of a thread's work, counted in operator new and delete.
// Linking this file replaces both operators, which adds a few nanoseconds per call. Memory allocated by Eigen
// and C libraries is not counted. Builds with sanitizers count nothing, because sanitizers replace operator
// new.

#include <cstdint>

namespace okbench {

/// Counts the bytes that this thread allocates minus those that it frees while a scope is open. Memory that
/// is freed on another thread, or while no scope is open, still counts. Not thread-safe: one per thread at a
/// time.
class AllocationCounter {
 public:
  /// Counts as long as it lives. Scopes do not nest.
  class Scope {
   public:
    explicit Scope(AllocationCounter& counter);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    AllocationCounter& counter_;
  };

  /// Whether this build counts.
  static const bool kCounts;

  /// Bytes held now, and the largest number so far.
  std::int64_t bytes() const { return bytes_; }
  std::int64_t peak_bytes() const { return peak_; }

 private:
  friend struct AllocationHooks;

  std::int64_t bytes_ = 0, peak_ = 0;
};

}  // namespace okbench
