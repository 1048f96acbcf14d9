#pragma once
// SupportRows: kernel rows of training examples over a changing support set, cached in bounded memory.
//
// Members occupy slots in order of entry. A freed slot is not reused until Pack closes the gaps. A cached row
// that is requested again therefore lacks only the slots added since, at its end. They are evaluated in whole
// blocks of 16. The first block may contain slots that the row already has; all members in the evaluated
// blocks count as computed. The values of a member that has left are dropped, and it returns to a new slot.
// The least recently used row is evicted first.
//
// Holds references to the engine and the inputs, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learners/kernels/engine.h"
#include "learners/support/lru_list.h"

namespace okbench::lasvm {

template <class T>
class SupportRows {
 public:
  /// `bytes` bounds the cached rows. At least two rows are always kept, so that a pair of rows stays valid.
  SupportRows(KernelEngine<T>& engine, const Inputs<T>& inputs, std::size_t bytes);

  /// Puts an example into a new slot and returns the slot.
  std::uint32_t Add(std::uint32_t example);
  /// Frees a slot.
  void Remove(std::uint32_t slot);
  /// Drops the cached row of an example, if there is one.
  void Drop(std::uint32_t example);
  /// Whether there are more than half as many free slots as slots in use.
  bool HasGaps() const { return 2 * (examples_.size() - blocks_.size()) > blocks_.size(); }
  /// Moves the members to the first slots, in the same order. Returns their former slots.
  std::vector<std::uint32_t> Pack();

  /// Kernel values k(x_example, slot) for all slots. Entries of free slots are unspecified, but finite if the
  /// kernel is. Counts evaluated values as computed, never as requested. Valid until the second next call, or
  /// until slots change. REQUIRES: the set is not empty.
  const T* Row(std::uint32_t example);

  /// Length of a row, a multiple of the block size 16.
  std::size_t slots() const { return blocks_.slots(); }
  std::size_t blocks() const { return blocks_.blocks(); }
  /// Training example in a slot.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }

 private:
  static constexpr std::uint32_t kFree = static_cast<std::uint32_t>(-1);

  struct Place {
    AlignedVector<T> values;
    std::size_t filled = 0;  // number of leading slots that are evaluated
  };
  void Complete(std::uint32_t example);

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  SupportBlocks<T> blocks_;
  std::vector<std::uint32_t> examples_;  // by slot; kFree: free
  std::size_t bound_, held_ = 0;         // number of kernel values: limit, and cached now
  std::vector<Place> places_;            // by example; empty if the row is not cached
  LruList recent_;
  AlignedVector<T> spare_;  // memory of the row that was dropped last, for the next new row
};

extern template class SupportRows<float>;
extern template class SupportRows<double>;

}  // namespace okbench::lasvm
