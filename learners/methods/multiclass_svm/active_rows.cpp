#include "learners/methods/multiclass_svm/active_rows.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace okbench::multiclass_svm {

template <class T>
void ActiveRows<T>::Restart(std::size_t width) {
  // At most one row per position, so width^2 values suffice, also after Keep shortens the rows.
  const std::size_t values = std::min(std::max(bytes_ / sizeof(T), least_ * width), width * width);
  if (memory_ == nullptr || memory_.get_deleter().values < values) {
    memory_.reset();
    memory_ = {CacheLineAllocator<T>().allocate(values), Free{values}};
  }
  width_ = width;
  next_ = 0;
  slots_.assign(width, kNone);
  used_.assign(width, {});
  owners_.clear();
  free_.clear();
  recent_.clear();
}

// Finds the missing positions and evicts rows until theirs fit.
template <class T>
void ActiveRows<T>::Arrange(std::span<const std::uint32_t> wanted) {
  missing_.clear();
  for (const std::uint32_t position : wanted)
    if (slots_[position] == kNone)
      missing_.push_back(position);
    else
      recent_.splice(recent_.begin(), recent_, used_[position]);
  while (!recent_.empty() && recent_.size() + missing_.size() > Bound(wanted.size())) {
    free_.push_back(slots_[recent_.back()]);
    slots_[recent_.back()] = kNone;
    recent_.pop_back();
  }
}

// Assigns slots to the missing rows. `rows` is null if they were evaluated in place from slot next_ on;
// otherwise they are copied to free slots.
template <class T>
void ActiveRows<T>::Store(const T* rows) {
  for (std::size_t m = 0; m < missing_.size(); ++m) {
    const std::uint32_t position = missing_[m];
    std::uint32_t slot = static_cast<std::uint32_t>(next_);
    if (rows != nullptr && !free_.empty()) {
      slot = free_.back();
      free_.pop_back();
      owners_[slot] = position;
    } else {
      ++next_;
      owners_.push_back(position);
    }
    if (rows != nullptr) std::copy_n(rows + m * width_, width_, memory_.get() + slot * width_);
    recent_.push_front(position);
    used_[position] = recent_.begin();
    slots_[position] = slot;
  }
}

template <class T>
void ActiveRows<T>::Keep(std::span<const std::uint64_t> kept, std::size_t count, std::size_t width) {
  constexpr std::uint32_t kWord = 64;
  std::vector<std::uint32_t> before(kept.size());  // number of kept positions before each word
  for (std::size_t w = 1; w < kept.size(); ++w)
    before[w] = before[w - 1] + static_cast<std::uint32_t>(std::popcount(kept[w - 1]));
  const auto holds = [&](std::uint32_t p) { return (kept[p / kWord] >> (p % kWord) & 1) != 0; };
  const auto renumbered = [&](std::uint32_t p) {
    const std::uint64_t lower = kept[p / kWord] & ((std::uint64_t{1} << (p % kWord)) - 1);
    return before[p / kWord] + static_cast<std::uint32_t>(std::popcount(lower));
  };
  // Rows move down in slot order: each overwrites itself or rows already moved.
  std::vector<std::uint32_t> owners, slots(width, kNone);
  for (std::uint32_t slot = 0; slot < next_; ++slot) {
    const std::uint32_t position = owners_[slot];
    if (slots_[position] != slot || !holds(position)) continue;
    T* const row = memory_.get() + owners.size() * width;
    ops_.Compact(memory_.get() + slot * width_, kept.data(), width_, row);
    std::fill(row + count, row + width, T(0));
    slots[renumbered(position)] = static_cast<std::uint32_t>(owners.size());
    owners.push_back(renumbered(position));
  }
  std::list<std::uint32_t> recent;
  std::vector<std::list<std::uint32_t>::iterator> used(width);
  for (const std::uint32_t position : recent_) {
    if (!holds(position)) continue;
    recent.push_back(renumbered(position));
    used[recent.back()] = std::prev(recent.end());
  }
  width_ = width;
  next_ = owners.size();
  slots_ = std::move(slots);
  owners_ = std::move(owners);
  used_ = std::move(used);
  recent_ = std::move(recent);
  free_.clear();
}

template class ActiveRows<float>;
template class ActiveRows<double>;

}  // namespace okbench::multiclass_svm
