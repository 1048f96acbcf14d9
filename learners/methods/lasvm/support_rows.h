#pragma once
// SupportRows: kernel rows of training examples over a support set that changes, kept in bounded memory.
//
// Members lie in slots in the order in which they came; a slot that was left is not used again until Pack
// closes the gaps. A row that is asked for again therefore lacks only the slots added since, at its end: they
// are evaluated, in whole blocks of 16, of which the first may hold slots that the row has already, and all
// members in them count as computed. Values of a member that has left are dropped: it comes back to a new
// slot. The row that was not used for longest goes first.
//
// Refers to the engine and the inputs, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learners/kernels/engine.h"
#include "learners/support/lru_list.h"

namespace okbench::lasvm {

template <class T>
class SupportRows {
 public:
  /// At least two rows are held, so that a pair of rows stays valid.
  SupportRows(KernelEngine<T>& engine, const Inputs<T>& inputs, std::size_t bytes);

  /// Puts an example into a slot of its own, and says which.
  std::uint32_t Add(std::uint32_t example);
  void Remove(std::uint32_t slot);
  /// Whether the slots that were left are more than half as many as those in use.
  bool HasGaps() const { return 2 * (examples_.size() - blocks_.size()) > blocks_.size(); }
  /// Gives the members the first slots, in the same order, and says in which slots they were.
  std::vector<std::uint32_t> Pack();

  /// k(x_example, slot) for all slots, of a set that is not empty; of no meaning where no member is, but
  /// finite when the kernel is. Counts what is evaluated as computed, never as requested. Valid until the
  /// second next call, or until slots change.
  const T* Row(std::uint32_t example);

  /// Length of a row: whole blocks.
  std::size_t slots() const { return blocks_.slots(); }
  std::size_t blocks() const { return blocks_.blocks(); }
  /// Whose slot it is.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }

 private:
  static constexpr std::uint32_t kFree = static_cast<std::uint32_t>(-1);

  struct Place {
    AlignedVector<T> values;
    std::size_t filled = 0;  // slots that the row has, the first ones
  };
  void Complete(std::uint32_t example);

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  SupportBlocks<T> blocks_;
  std::vector<std::uint32_t> examples_;  // by slot
  std::size_t bound_, held_ = 0;         // kernel values in memory
  std::vector<Place> places_;            // by example, of those held
  LruList recent_;
};

extern template class SupportRows<float>;
extern template class SupportRows<double>;

}  // namespace okbench::lasvm
