#include "learners/support/row_cache.h"

#include <algorithm>

namespace okbench {

template <class T>
RowCache<T>::RowCache(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs,
                      std::size_t bytes)
    : engine_(engine),
      set_(set),
      inputs_(inputs),
      bound_(std::max<std::size_t>(2, bytes / std::max<std::size_t>(1, set.slots() * sizeof(T)))),
      arena_(set.slots(), std::min(bound_, inputs.rows->size())),
      rows_(inputs.rows->size()),
      recent_(inputs.rows->size()) {}

template <class T>
const T* RowCache<T>::Row(std::uint32_t example) {
  T*& row = rows_[example];
  if (!recent_.holds(example)) {
    if (recent_.size() >= bound_) {
      // The new row reuses the memory of the dropped one.
      const std::uint32_t oldest = recent_.oldest();
      recent_.Drop(oldest);
      arena_.GiveBack(rows_[oldest]);
    }
    row = arena_.Take();
    engine_.Rows(set_, inputs_, std::span(&example, 1), Purpose::kLearning, false, row, set_.slots());
  }
  recent_.Use(example);
  return row;
}

template class RowCache<float>;
template class RowCache<double>;

}  // namespace okbench
