#include "learners/kernels/stream_rows.h"

#include <algorithm>

namespace okbench {

template <class T>
void StreamRows<T>::Announce(std::span<const std::uint32_t> order) {
  order_.assign(order.begin(), order.end());
  position_ = first_ = filled_ = 0;
}

template <class T>
void StreamRows<T>::Fill(const SupportBlocks<T>& set) {
  first_ = position_;
  filled_ = std::min(lookahead_, order_.size() - position_);
  // Leaves space for blocks that the coming steps may add, so that a row can be completed in place.
  stride_ = set.slots() + ((lookahead_ / SupportBlocks<T>::kBlock) + 2) * SupportBlocks<T>::kBlock;
  if (values_.size() < filled_ * stride_) values_.resize(lookahead_ * stride_);
  versions_.resize(set.blocks());
  for (std::size_t b = 0; b < set.blocks(); ++b) versions_[b] = set.version(b);
  engine_.Rows(set, inputs_, std::span(order_).subspan(first_, filled_), Purpose::kLearning, false,
               values_.data(), stride_);
}

template <class T>
const T* StreamRows<T>::Row(const SupportBlocks<T>& set, std::uint32_t example) {
  // Look-ahead does not help an inverted index, because each query reads only its own features.
  const bool ahead = lookahead_ > 1 && set.packing() != Packing::kInverted;
  const bool expected = ahead && position_ < order_.size() && order_[position_] == example;
  if (!expected) {
    filled_ = 0;
    if (values_.size() < set.slots()) values_.resize(set.slots());
    engine_.Row(set, inputs_, example, Purpose::kLearning, values_.data());
    return values_.data();
  }
  // Refilling is cheaper than updating if more than a quarter of the blocks is stale.
  const auto stale_block = [&](std::size_t b) {
    return b >= versions_.size() || versions_[b] != set.version(b);
  };
  const bool inside = position_ >= first_ && position_ < first_ + filled_ && set.slots() <= stride_;
  std::size_t stale = 0;
  if (inside)
    for (std::size_t b = 0; b < set.blocks(); ++b) stale += stale_block(b) ? 1 : 0;
  const bool fill = !inside || stale > std::max<std::size_t>(2, set.blocks() / 4);
  if (fill) Fill(set);
  T* row = values_.data() + (position_ - first_) * stride_;
  // Adjacent stale blocks are evaluated together, which gives more independent chains of multiply-adds.
  for (std::size_t b = 0; !fill && stale > 0 && b < set.blocks(); ++b) {
    std::size_t run = 0;
    while (b + run < set.blocks() && stale_block(b + run)) ++run;
    if (run == 0) continue;
    engine_.Blocks(set, b, run, inputs_, std::span(&example, 1), Purpose::kLearning, std::span(&row, 1));
    b += run;
    stale -= run;
  }
  engine_.CountRequested(std::span(&example, 1), set);
  ++position_;
  return row;
}

template class StreamRows<float>;
template class StreamRows<double>;

}  // namespace okbench
