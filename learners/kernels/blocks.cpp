#include "learners/kernels/blocks.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"

namespace okbench {
namespace {

constexpr std::size_t kStepBytes = 64;           // bytes per step of a block: 4 for each slot
constexpr std::uint32_t kLess128 = 0x80808080U;  // XOR with it subtracts 128 from each byte

}  // namespace

template <class T>
SupportBlocks<T>::SupportBlocks(std::size_t features, Packing packing, std::size_t terms)
    : features_(features),
      packing_(packing),
      stride_(features * kBlock),
      index_(packing == Packing::kInverted ? features : 0),
      norms_(terms),
      largest_norms_(terms) {
  // Blocks whose distance is a multiple of a page would share one cache set: add a cache line.
  if (stride_ * sizeof(T) % 4096 == 0) stride_ += kCacheLine / sizeof(T);
}

template <class T>
SupportBlocks<T>::SupportBlocks(std::size_t features, const IntegerScale& scale, bool bytes)
    : features_(features),
      packing_(bytes ? Packing::kBytes : Packing::kWords),
      stride_(0),
      index_(0),
      integers_(scale),
      norms_(1),
      largest_norms_(1) {
  stride_ = steps() * kStepBytes;
  if (stride_ % 4096 == 0) stride_ += kCacheLine;
}

template <class T>
void SupportBlocks<T>::Grow(std::size_t blocks) {
  if (blocks <= occupied_.size()) return;
  if (integers_) {
    // Empty slots hold the integer 0, so that their undefined kernel values are finite.
    codes_.resize(blocks * stride_, packing_ == Packing::kBytes ? kLess128 & 255U : 0U);
    integer_norms_.resize(blocks * kBlock);
    if (integers_->unit_norm) factors_.resize(blocks * kBlock);
    rows_.resize(blocks * kBlock * features_);
  }
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

// Offset in codes_ of the 4 bytes of one step of a slot.
template <class T>
std::size_t SupportBlocks<T>::StepOf(std::size_t slot, std::size_t step) const {
  return slot / kBlock * stride_ + step * kStepBytes + slot % kBlock * 4;
}

template <class T>
void SupportBlocks<T>::PutIntegers(std::size_t slot, const Inputs<T>& inputs, std::size_t i) {
  const IntegerRows* const rows = inputs.rows->integers();
  if (rows == nullptr || !(rows->scale() == *integers_))
    throw InvalidArgument("a support set of integers takes only integer rows of the same scale");
  const std::uint8_t* const codes = rows->codes(i);
  for (std::size_t j = 0; j < steps(); ++j) {
    std::uint32_t step = 0;
    if (packing_ == Packing::kBytes || !integers_->bytes()) {
      std::memcpy(&step, codes + 4 * j, sizeof(step));
    } else {
      const std::uint32_t second = 2 * j + 1 < features_ ? codes[2 * j + 1] : 0U;
      step = codes[2 * j] | second << 16;
    }
    if (packing_ == Packing::kBytes) step ^= kLess128;
    std::memcpy(codes_.data() + StepOf(slot, j), &step, sizeof(step));
  }
  integer_norms_[slot] = rows->squared_norm(i);
  if (integers_->unit_norm) {
    const T factor = factors_[slot] = UnitFactor<T>(integer_norms_[slot]);
    norms_[0][slot] = static_cast<T>(integer_norms_[slot]) * factor * factor;
  }
  const RowView<T> row = inputs.rows->row(i);
  std::copy_n(row.values, features_, rows_.data() + slot * features_);
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
  } else if (integers_) {
    PutIntegers(slot, inputs, i);
  } else if (packing_ == Packing::kInverted) {
    if (!rows.sparse()) throw InvalidArgument("an inverted support set takes sparse rows only");
    index_.Put(slot, rows.row(i));
  } else {
    PutValues(block, lane, rows.row(i));
  }
  if (!integers_)
    for (std::size_t t = 0; t < norms_.size(); ++t) {
      norms_[t][slot] = inputs.squared_norm(i, t);
      largest_norms_[t] = std::max(largest_norms_[t], norms_[t][slot]);
    }
  if (!in_use_[slot]) {
    in_use_[slot] = 1;
    ++occupied_[block];
    ++size_;
  }
  ++versions_[block];
}

template <class T>
Examples<T> SupportBlocks<T>::IntegerRowsOf(std::span<const std::size_t> slots) const {
  std::vector<T> values;
  auto integer_rows = std::make_shared<IntegerRows>(*integers_, features_);
  std::vector<std::int32_t> numbers(features_);
  for (const std::size_t slot : slots) {
    const auto row = rows_.begin() + static_cast<std::ptrdiff_t>(slot * features_);
    values.insert(values.end(), row, row + static_cast<std::ptrdiff_t>(features_));
    for (std::size_t j = 0; j < features_; ++j) {
      const bool bytes = packing_ == Packing::kBytes;
      const std::uint8_t* const at =
          codes_.data() + (bytes ? StepOf(slot, j / 4) + j % 4 : StepOf(slot, j / 2) + j % 2 * 2);
      std::int16_t word = 0;
      if (!bytes) std::memcpy(&word, at, sizeof(word));
      numbers[j] = bytes ? *at ^ 128 : word;
    }
    integer_rows->Add(numbers);
  }
  return Examples<T>::Unlabelled(slots.size(), features_, std::move(values))
      .WithIntegers(std::move(integer_rows));
}

template <class T>
Examples<T> SupportBlocks<T>::Rows(std::span<const std::size_t> slots) const {
  if (integers_) return IntegerRowsOf(slots);
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
    const std::size_t masks = block * bit_words() * kBlock + lane;
    for (std::size_t f = 0; f < features_; ++f)
      values.push_back(packing_ == Packing::kBits
                           ? static_cast<T>(masks_[masks + f / 32 * kBlock] >> (f % 32) & 1U)
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
