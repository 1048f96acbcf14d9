#include "learners/methods/lasvm/support_rows.h"

#include <algorithm>
#include <utility>

namespace okbench::lasvm {

template <class T>
SupportRows<T>::SupportRows(KernelEngine<T>& engine, const Inputs<T>& inputs, std::size_t bytes)
    : engine_(engine),
      inputs_(inputs),
      blocks_(engine.MakeBlocks(*inputs.rows)),
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
  examples_[slot] = kFree;
}

template <class T>
void SupportRows<T>::Drop(std::uint32_t example) {
  if (!recent_.holds(example)) return;
  Place& place = places_[example];
  held_ -= place.values.capacity();
  spare_ = std::move(place.values);
  place.values.clear();
  place.filled = 0;
  recent_.Drop(example);
}

template <class T>
std::vector<std::uint32_t> SupportRows<T>::Pack() {
  std::vector<std::uint32_t> kept;
  SupportBlocks<T> packed = engine_.MakeBlocks(*inputs_.rows);
  for (std::uint32_t slot = 0; slot < examples_.size(); ++slot) {
    if (examples_[slot] == kFree) continue;
    packed.Put(kept.size(), inputs_, examples_[slot]);
    kept.push_back(slot);
  }
  blocks_ = std::move(packed);
  std::erase(examples_, kFree);
  for (Place& place : places_) {
    const auto end = std::lower_bound(kept.begin(), kept.end(), place.filled);
    place.filled = static_cast<std::size_t>(end - kept.begin());
    for (std::size_t k = 0; k < place.filled; ++k) place.values[k] = place.values[kept[k]];
  }
  return kept;
}

// Evaluates the slots that the row of the example lacks.
template <class T>
void SupportRows<T>::Complete(std::uint32_t example) {
  Place& place = places_[example];
  held_ -= place.values.capacity();
  if (place.values.empty()) place.values.swap(spare_);
  if (place.values.capacity() < slots()) place.values.reserve(slots() + slots() / 4);
  held_ += place.values.capacity();
  place.values.resize(slots());
  const std::size_t first = place.filled / SupportBlocks<T>::kBlock;
  engine_.Blocks(blocks_, first, blocks() - first, inputs_, example, Purpose::kLearning, place.values.data());
  place.filled = examples_.size();
}

template <class T>
const T* SupportRows<T>::Row(std::uint32_t example) {
  Place& place = places_[example];
  recent_.Use(example);
  if (place.filled < examples_.size()) Complete(example);
  while (held_ > bound_ && recent_.size() > 2) Drop(recent_.oldest());
  return place.values.data();
}

template class SupportRows<float>;
template class SupportRows<double>;

}  // namespace okbench::lasvm
