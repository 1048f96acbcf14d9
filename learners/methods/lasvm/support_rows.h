#pragma once
// SupportRows: kernel rows of training examples over a changing support set, cached in bounded memory.
//
// Members occupy slots in order of entry. A freed slot is not reused until Pack closes the gaps. A cached row
// that is requested again therefore lacks only the slots added since, at its end. They are evaluated in whole
// blocks of 16. The first block may contain slots that the row already has; all members in the evaluated
// blocks count as computed. The values of a member that has left are dropped, and it returns to a new slot.
// The least recently used row is evicted first.
//
// Prefetch evaluates the rows of several examples together, so that each member is loaded once for all of
// them. Dense rows of many features are completed by symmetry, k(x, x') = k(x', x): values that are cached in
// the rows of newer members are copied and not computed.
//
// Holds references to the engine and the inputs, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/kernels/engine.h"
#include "learners/support/lru_list.h"

namespace okbench::lasvm {

template <class T>
class SupportRows {
 public:
  /// Not a slot.
  static constexpr std::uint32_t kNoSlot = static_cast<std::uint32_t>(-1);

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

  /// Kernel values k(x_example, .) for all slots. `slot` is the slot of the example if it is a member, else
  /// kNoSlot. Entries of free slots are unspecified, but finite if the kernel is. Counts evaluated values as
  /// computed, never as requested. Valid until the second next call, or until slots change. REQUIRES: the set
  /// is not empty.
  const T* Row(std::uint32_t example, std::uint32_t slot);
  /// Evaluates and caches the rows of these examples, as far as they are not cached and fit into a quarter of
  /// the cache. Counts evaluated values as computed. Affects speed and `computed`, never a value.
  void Prefetch(std::span<const std::uint32_t> examples);

  /// Length of a row, a multiple of the block size 16.
  std::size_t slots() const { return blocks_.slots(); }
  std::size_t blocks() const { return blocks_.blocks(); }
  /// Training example in a slot.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }

 private:
  struct Place {
    AlignedVector<T> values;
    std::size_t filled = 0;  // number of leading slots that are evaluated
  };
  Place& Resize(std::uint32_t example);
  void Complete(std::uint32_t example, std::uint32_t slot);
  bool CopySymmetric(Place& place, std::uint32_t slot) const;
  void Evict();
  // Whether this number of rows fits into a quarter of the cache.
  bool FitsAhead(std::size_t rows) const { return rows * slots() <= bound_ / 4; }

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  SupportBlocks<T> blocks_;
  std::vector<std::uint32_t> examples_;  // by slot; kNoSlot: a free slot
  bool copies_;                          // whether copying a value is cheaper than evaluating it
  std::size_t bound_, size_ = 0;         // number of kernel values: limit, and cached now
  std::vector<Place> places_;            // by example; empty if the row is not cached
  LruList recent_;
  std::vector<AlignedVector<T>> spare_;  // memory of dropped rows, for new rows
  std::vector<std::uint32_t> ahead_;     // scratch of Prefetch
  std::vector<T*> to_;                   // scratch of Prefetch
};

extern template class SupportRows<float>;
extern template class SupportRows<double>;

}  // namespace okbench::lasvm
