#pragma once
// RowCache: a bounded least-recently-used cache of kernel rows over a fixed support set, by example. The
// cache changes `computed`, never a value.
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
  /// Uses at most `bytes` bytes of rows, but stores at least two rows, so that a pair of rows stays valid.
  RowCache(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs, std::size_t bytes);

  /// k(x_example, slot s) for all slots of the set. Counts as computed if the row is not cached, never as
  /// requested; the caller reports requests with KernelEngine::CountRequested(). Valid until the second next
  /// call.
  const T* Row(std::uint32_t example);

 private:
  KernelEngine<T>& engine_;
  const SupportBlocks<T>& set_;
  const Inputs<T>& inputs_;
  std::size_t bound_;
  RowArena<T> arena_;
  std::vector<T*> rows_;  // by example; valid if recent_ holds it
  LruList recent_;
};

extern template class RowCache<float>;
extern template class RowCache<double>;

}  // namespace okbench
