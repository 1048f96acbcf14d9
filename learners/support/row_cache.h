#pragma once
// RowCache: kernel rows over a fixed set of examples, by the example they belong to, in bounded memory; the
// row that was not used for longest is dropped first. Which rows are held changes `computed`, never a value.
//
// Refers to the engine, the set and the inputs, which must outlive it. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learners/kernels/engine.h"
#include "learners/support/lru_list.h"
#include "learners/support/row_arena.h"

namespace okbench {

template <class T>
class RowCache {
 public:
  /// At least two rows are held, so that a pair of rows stays valid.
  RowCache(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t bytes);

  /// k(x_example, slot s) for all slots of the set. Counts as computed when it was not held, never as
  /// requested: what a method asks for is for the method to say. Valid until the second next call.
  const T* Row(std::uint32_t example);

 private:
  KernelEngine<T>& engine_;
  const SupportBlocks<T>& set_;
  const Inputs<T>& inputs_;
  std::size_t bound_;
  RowArena<T> arena_;
  std::vector<T*> rows_;  // by example, of those held
  LruList recent_;
};

extern template class RowCache<float>;
extern template class RowCache<double>;

}  // namespace okbench
