#include "learners/support/row_cache.h"

#include <algorithm>
#include <utility>

namespace okbench {

template <class T>
RowCache<T>::RowCache(KernelEngine<T>& engine, const SupportBlocks<T>& set, const Inputs<T>& inputs,
                      std::size_t bytes)
    : engine_(engine),
      set_(set),
      inputs_(inputs),
      bound_(std::max<std::size_t>(2, bytes / std::max<std::size_t>(1, set.slots() * sizeof(T)))),
      places_(inputs.rows->size()) {}

template <class T>
const T* RowCache<T>::Row(std::uint32_t example) {
  Place& place = places_[example];
  if (!place.values.empty()) {
    recent_.splice(recent_.begin(), recent_, place.used);
    return place.values.data();
  }
  if (recent_.size() >= bound_) {
    // The dropped row's memory serves the new one.
    place.values = std::exchange(places_[recent_.back()].values, {});
    recent_.pop_back();
  } else {
    place.values.resize(set_.slots());
  }
  recent_.push_front(example);
  place.used = recent_.begin();
  engine_.Rows(set_, inputs_, std::span(&example, 1), Purpose::kLearning, false, place.values.data(),
               set_.slots());
  return place.values.data();
}

template class RowCache<float>;
template class RowCache<double>;

}  // namespace okbench
