#pragma once
// ActiveRows: a cache of kernel rows over the active examples, indexed by position. All rows share one
// allocation that is kept when examples become inactive: Keep shortens the rows in place. The least recently
// used row is evicted first.
//
// The cache content affects `computed` counts, never values. Not thread-safe.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::multiclass_svm {

template <class T>
class ActiveRows {
 public:
  /// Caches as many rows as fit into `bytes`, but at least `least`.
  ActiveRows(std::size_t bytes, std::size_t least) : bytes_(bytes), least_(least) {}

  /// Clears the cache. Rows then have `width` values, one per position (padded).
  void Restart(std::size_t width);

  /// The row of a position, or null if it is not cached. Valid until the next non-const call.
  const T* Row(std::uint32_t position) const {
    return slots_[position] == kNone ? nullptr : memory_.get() + std::size_t{slots_[position]} * width_;
  }

  /// Brings the rows of these positions into the cache and marks them as most recently used, in this order,
  /// missing ones last. Calls evaluate(missing, out) at most once, for the positions not in the cache; it
  /// must write their rows of `width` values one after the other to `out`.
  /// REQUIRES: all positions are different, and there are at most `least` of them.
  template <class Evaluate>
  void Bring(std::span<const std::uint32_t> wanted, const Evaluate& evaluate) {
    Arrange(wanted);
    if (missing_.empty()) return;
    const bool together = next_ + missing_.size() <= Bound(wanted.size());
    if (!together) apart_.resize(missing_.size() * width_);
    T* const out = together ? memory_.get() + next_ * width_ : apart_.data();
    evaluate(std::span<const std::uint32_t>(missing_), out);
    Store(together ? nullptr : apart_.data());
  }

  /// Keeps the `count` positions whose bit is set in `kept` (format of VectorOps::Compact) and renumbers them
  /// in their order. Rows of other positions are dropped. Kept rows are compacted to `width` values.
  /// REQUIRES: `width` is at most the current width.
  void Keep(std::span<const std::uint64_t> kept, std::size_t count, std::size_t width);

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::size_t Bound(std::size_t wanted) const { return std::max(bytes_ / (width_ * sizeof(T)), wanted); }
  void Arrange(std::span<const std::uint32_t> wanted);
  void Store(const T* rows);

  struct Free {
    std::size_t values = 0;
    void operator()(T* memory) const { CacheLineAllocator<T>().deallocate(memory, values); }
  };

  std::size_t bytes_, least_;
  VectorOps<T> ops_;
  std::size_t width_ = 0;
  std::unique_ptr<T, Free> memory_;    // uninitialised: pages are touched only when used
  std::size_t next_ = 0;               // first slot never used
  std::vector<std::uint32_t> slots_;   // by position
  std::vector<std::uint32_t> owners_;  // position by slot, for slots below next_
  std::vector<std::uint32_t> free_;    // free slots below next_
  std::list<std::uint32_t> recent_;    // positions, most recently used first
  std::vector<std::list<std::uint32_t>::iterator> used_;
  std::vector<std::uint32_t> missing_;
  AlignedVector<T> apart_;
};

extern template class ActiveRows<float>;
extern template class ActiveRows<double>;

}  // namespace okbench::multiclass_svm
