#include "learners/methods/lasvm/support_rows.h"

#include <algorithm>
#include <utility>

namespace okbench::lasvm {
namespace {

// From this number of features on, a kernel value is copied rather than evaluated. A copy is often a cache
// miss. Measured on usps (256 features: 1.2 times as fast) and letter (16: 0.75 times).
constexpr std::size_t kCopiedFeatures = 64;

}  // namespace

template <class T>
SupportRows<T>::SupportRows(KernelEngine<T>& engine, const Inputs<T>& inputs, std::size_t bytes)
    : engine_(engine),
      inputs_(inputs),
      blocks_(engine.MakeBlocks(*inputs.rows)),
      copies_(!inputs.rows->sparse() && inputs.rows->features() >= kCopiedFeatures &&
              engine.kernel().kind != KernelKind::kFunction),
      bound_(bytes / sizeof(T)),
      places_(inputs.rows->size()),
      recent_(inputs.rows->size()) {}

template <class T>
std::uint32_t SupportRows<T>::Add(std::uint32_t example) {
  const auto slot = static_cast<std::uint32_t>(examples_.size());
  blocks_.Put(slot, inputs_, example);
  examples_.push_back(example);
  return slot;
}

template <class T>
void SupportRows<T>::Remove(std::uint32_t slot) {
  blocks_.Remove(slot);
  examples_[slot] = kNoSlot;
}

template <class T>
void SupportRows<T>::Drop(std::uint32_t example) {
  if (!recent_.holds(example)) return;
  Place& place = places_[example];
  size_ -= place.values.capacity();
  if (spare_.empty() || FitsAhead(spare_.size() + 1)) spare_.push_back(std::move(place.values));
  place = {};
  recent_.Drop(example);
}

template <class T>
std::vector<std::uint32_t> SupportRows<T>::Pack() {
  std::vector<std::uint32_t> kept;
  SupportBlocks<T> packed = engine_.MakeBlocks(*inputs_.rows);
  for (std::uint32_t slot = 0; slot < examples_.size(); ++slot) {
    if (examples_[slot] == kNoSlot) continue;
    packed.Put(kept.size(), inputs_, examples_[slot]);
    kept.push_back(slot);
  }
  blocks_ = std::move(packed);
  std::erase(examples_, kNoSlot);
  for (Place& place : places_) {
    const auto end = std::lower_bound(kept.begin(), kept.end(), place.filled);
    place.filled = static_cast<std::size_t>(end - kept.begin());
    for (std::size_t k = 0; k < place.filled; ++k) place.values[k] = place.values[kept[k]];
  }
  return kept;
}

// Gives the row of the example one entry per slot.
template <class T>
typename SupportRows<T>::Place& SupportRows<T>::Resize(std::uint32_t example) {
  Place& place = places_[example];
  size_ -= place.values.capacity();
  if (place.values.empty() && !spare_.empty()) {
    place.values = std::move(spare_.back());
    spare_.pop_back();
  }
  if (place.values.capacity() < slots()) place.values.reserve(slots() + slots() / 4);
  size_ += place.values.capacity();
  place.values.resize(slots());
  return place;
}

// Copies the values that the row of a member lacks from the rows of newer members: k(x, x') = k(x', x).
// Returns false if one of them is not cached.
template <class T>
bool SupportRows<T>::CopySymmetric(Place& place, std::uint32_t slot) const {
  for (std::size_t s = place.filled; s < examples_.size(); ++s) {
    place.values[s] = 0;
    if (examples_[s] == kNoSlot) continue;
    const Place& newer = places_[examples_[s]];
    if (newer.filled <= slot) return false;
    place.values[s] = newer.values[slot];
  }
  return true;
}

// Fills the slots that the row of the example lacks.
template <class T>
void SupportRows<T>::Complete(std::uint32_t example, std::uint32_t slot) {
  Place& place = Resize(example);
  if (copies_ && slot < place.filled && CopySymmetric(place, slot)) {
    place.filled = examples_.size();
    return;
  }
  T* const row = place.values.data();
  const std::size_t first = place.filled / SupportBlocks<T>::kBlock;
  engine_.Blocks(blocks_, first, blocks() - first, inputs_, std::span(&example, 1), Purpose::kLearning,
                 std::span(&row, 1));
  place.filled = examples_.size();
}

template <class T>
void SupportRows<T>::Evict() {
  while (size_ > bound_ && recent_.size() > 2) Drop(recent_.oldest());
}

template <class T>
void SupportRows<T>::Prefetch(std::span<const std::uint32_t> examples) {
  // Look-ahead does not help an inverted index, because each query reads only the postings of its features.
  if (slots() == 0 || blocks_.packing() == Packing::kInverted) return;
  ahead_.clear();
  to_.clear();
  for (const std::uint32_t example : examples) {
    if (recent_.holds(example)) continue;
    if (!FitsAhead(ahead_.size() + 1)) break;
    to_.push_back(Resize(example).values.data());
    ahead_.push_back(example);
    recent_.Use(example);
  }
  engine_.Blocks(blocks_, 0, blocks(), inputs_, ahead_, Purpose::kLearning, to_);
  for (const std::uint32_t example : ahead_) places_[example].filled = examples_.size();
  Evict();
}

template <class T>
const T* SupportRows<T>::Row(std::uint32_t example, std::uint32_t slot) {
  Place& place = places_[example];
  recent_.Use(example);
  if (place.filled < examples_.size()) Complete(example, slot);
  Evict();
  return place.values.data();
}

template class SupportRows<float>;
template class SupportRows<double>;

}  // namespace okbench::lasvm
