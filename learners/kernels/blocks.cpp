#include "learners/kernels/blocks.h"

#include <algorithm>
#include <utility>

#include "learners/core/error.h"

namespace okbench {

template <class T>
SupportBlocks<T>::SupportBlocks(std::size_t features, Packing packing, std::size_t terms)
    : features_(features),
      packing_(packing),
      stride_(features * kBlock),
      index_(packing == Packing::kInverted ? features : 0),
      norms_(terms) {
  // Blocks that are a multiple of a page apart would all fall into one cache set: shift them by a line.
  if (stride_ * sizeof(T) % 4096 == 0) stride_ += kCacheLine / sizeof(T);
}

template <class T>
void SupportBlocks<T>::Grow(std::size_t blocks) {
  if (blocks <= occupied_.size()) return;
  if (packing_ == Packing::kBits) masks_.resize(blocks * bit_words() * kBlock);
  if (packing_ == Packing::kDense) values_.resize(blocks * stride_);
  for (AlignedVector<T>& norms : norms_) norms.resize(blocks * kBlock);
  in_use_.resize(blocks * kBlock);
  occupied_.resize(blocks);
  versions_.resize(blocks);
}

template <class T>
void SupportBlocks<T>::PutValues(std::size_t block, std::size_t lane, const RowView<T>& row) {
  T* to = values_.data() + block * stride_ + lane;
  if (row.indices != nullptr)
    for (std::size_t f = 0; f < features_; ++f) to[f * kBlock] = 0;
  for (std::size_t j = 0; j < row.count; ++j) to[(row.indices ? row.indices[j] : j) * kBlock] = row.values[j];
}

template <class T>
void SupportBlocks<T>::Put(std::size_t slot, const Inputs<T>& inputs, std::size_t i) {
  const std::size_t block = slot / kBlock;
  const std::size_t lane = slot % kBlock;
  Grow(block + 1);
  const RowSource<T>& rows = *inputs.rows;
  if (packing_ == Packing::kBits) {
    if (!rows.zero_one()) throw InvalidArgument("a bit-packed support set takes 0/1 rows only");
    const std::uint32_t* bits = rows.bits(i);
    std::uint32_t* to = masks_.data() + block * bit_words() * kBlock + lane;
    for (std::size_t w = 0; w < bit_words(); ++w) to[w * kBlock] = bits[w];
  } else if (packing_ == Packing::kInverted) {
    if (!rows.sparse()) throw InvalidArgument("an inverted support set takes sparse rows only");
    index_.Put(slot, rows.row(i));
  } else {
    PutValues(block, lane, rows.row(i));
  }
  for (std::size_t t = 0; t < norms_.size(); ++t) norms_[t][slot] = inputs.squared_norm(i, t);
  if (!in_use_[slot]) {
    in_use_[slot] = 1;
    ++occupied_[block];
    ++size_;
  }
  ++versions_[block];
}

template <class T>
Examples<T> SupportBlocks<T>::Rows(std::span<const std::size_t> slots) const {
  std::vector<T> values;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  if (packing_ == Packing::kInverted) {
    offsets.push_back(0);
    for (const std::size_t slot : slots) {
      index_.Get(slot, indices, values);
      offsets.push_back(values.size());
    }
    return Examples<T>::Unlabelled(slots.size(), features_, std::move(values), std::move(offsets),
                                   std::move(indices));
  }
  for (const std::size_t slot : slots) {
    const std::size_t block = slot / kBlock, lane = slot % kBlock;
    const std::uint32_t* const masks = masks_.data() + block * bit_words() * kBlock + lane;
    for (std::size_t f = 0; f < features_; ++f)
      values.push_back(packing_ == Packing::kBits ? static_cast<T>(masks[f / 32 * kBlock] >> (f % 32) & 1U)
                                                  : values_[block * stride_ + f * kBlock + lane]);
  }
  return Examples<T>::Unlabelled(slots.size(), features_, std::move(values));
}

template <class T>
void SupportBlocks<T>::Remove(std::size_t slot) {
  if (slot >= in_use_.size() || !in_use_[slot]) return;
  in_use_[slot] = 0;
  --occupied_[slot / kBlock];
  --size_;
}

template class SupportBlocks<float>;
template class SupportBlocks<double>;

}  // namespace okbench
