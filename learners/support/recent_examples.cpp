#include "learners/support/recent_examples.h"

#include <utility>

namespace okbench {

template <class T>
RecentExamples<T>::RecentExamples(KernelEngine<T>& engine, SupportBlocks<T> blocks)
    : engine_(engine), blocks_(std::move(blocks)) {}

template <class T>
void RecentExamples<T>::Push(const ExampleInputs<T>& inputs, std::uint32_t i) {
  std::uint32_t slot = 0;
  while (slot < blocks_.slots() && blocks_.in_use(slot)) ++slot;
  blocks_.Put(slot, inputs, i);
  slots_.push_back(slot);
}

template <class T>
void RecentExamples<T>::Pop() {
  blocks_.Remove(slots_.front());
  slots_.erase(slots_.begin());
}

template <class T>
void RecentExamples<T>::Row(const ExampleInputs<T>& inputs, std::uint32_t i, std::vector<double>& out) {
  row_.resize(blocks_.slots());
  engine_.Row(blocks_, inputs, i, Purpose::kLearning, row_.data());
  out.clear();
  for (const std::uint32_t slot : slots_) out.push_back(static_cast<double>(row_[slot]));
}

template <class T>
void RecentExamples<T>::Serialize(Archive& archive) {
  engine_.Serialize(archive, blocks_);
  archive.Field("recent", slots_);
  if (!archive.reading()) return;
  for (const std::uint32_t slot : slots_)
    if (slot >= blocks_.slots() || !blocks_.in_use(slot))
      Archive::Fail("recent", "does not fit the recent examples");
  if (slots_.size() != blocks_.size()) Archive::Fail("recent", "does not fit the recent examples");
}

template class RecentExamples<float>;
template class RecentExamples<double>;

}  // namespace okbench
