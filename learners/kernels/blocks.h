#pragma once
// SupportBlocks: the inputs of a support set, packed for the kernel engine.
//
// Slots are grouped in blocks of 16, feature-major inside a block (block[feature][16]). 0/1 data is packed as
// bit masks instead, wide sparse data as an inverted index, and integers as such, some features of a
// slot together (block[step][16][4 bytes]). Owns its copy of the rows. Each block carries
// a version that grows with every row put into it, so that look-ahead values can tell what is stale. Not
// thread-safe while being changed.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/examples.h"
#include "learners/kernels/inverted_index.h"

namespace okbench {

/// Rows with the squared norms that RBF kernels need. Made by KernelEngine::Prepare; refers to the rows,
/// which must outlive it.
template <class T>
struct Inputs {
  const RowSource<T>* rows = nullptr;
  std::size_t terms = 1;         ///< of the kernel
  std::vector<T> squared_norms;  ///< [row][term]; empty for kernels that do not need them
  bool whole = false;            ///< kernel values are those of the rows' integers
  T squared_norm(std::size_t i, std::size_t term) const {
    return squared_norms.empty() ? T(0) : squared_norms[i * terms + term];
  }
};

/// The same of a data set.
template <class T>
struct ExampleInputs : Inputs<T> {
  const Examples<T>* examples = nullptr;
};

/// How rows are held; kernel values have the same bits for all.
enum class Packing {
  kDense,     ///< feature-major blocks
  kBits,      ///< masks: only rows of 0/1 data may be put in, and asked with
  kInverted,  ///< by feature: only sparse rows, likewise
  kBytes,     ///< integers of 8 bits, less 128: only rows of the same scale, likewise
  kWords,     ///< integers of 16 bits, likewise
};

template <class T>
class SupportBlocks {
 public:
  static constexpr std::size_t kBlock = 16;

  /// An empty set of rows of `features` features, for a kernel of so many terms.
  SupportBlocks(std::size_t features, Packing packing, std::size_t terms = 1);
  /// The same of integers, as bytes or words.
  SupportBlocks(std::size_t features, const IntegerScale& scale, bool bytes);

  /// Puts row i of the inputs into a slot; the set grows as needed. The slot may be in use.
  void Put(std::size_t slot, const Inputs<T>& inputs, std::size_t i);
  /// Makes a slot empty: its kernel values are then meaningless and not counted.
  void Remove(std::size_t slot);

  bool in_use(std::size_t slot) const { return in_use_[slot] != 0; }
  /// Copies of the rows in these slots, in use: sparse ones of an inverted set, else dense.
  Examples<T> Rows(std::span<const std::size_t> slots) const;

  std::size_t features() const { return features_; }
  Packing packing() const { return packing_; }
  /// Slots in use.
  std::size_t size() const { return size_; }
  std::size_t blocks() const { return occupied_.size(); }
  /// Slots in all blocks, used or not: the length of a kernel row.
  std::size_t slots() const { return blocks() * kBlock; }
  /// Slots in use in one block.
  std::size_t occupied(std::size_t block) const { return occupied_[block]; }
  std::uint64_t version(std::size_t block) const { return versions_[block]; }

  const T* values() const { return values_.data(); }
  const std::uint32_t* masks() const { return masks_.data(); }
  const InvertedIndex<T>& index() const { return index_; }
  /// What integers come to; none for other packings.
  const std::optional<IntegerScale>& integers() const { return integers_; }
  const std::uint8_t* codes() const { return codes_.data(); }
  /// Of 4 bytes a slot.
  std::size_t steps() const { return (features_ * (packing_ == Packing::kBytes ? 1 : 2) + 3) / 4; }
  /// Of the slots' integers.
  const std::int32_t* integer_norms() const { return integer_norms_.data(); }
  /// 1 / ||n|| of the slots, with unit norm; else null.
  const T* factors() const { return factors_.empty() ? nullptr : factors_.data(); }
  /// Of the slots, in the features of a term.
  const T* squared_norms(std::size_t term) const { return norms_[term].data(); }
  /// Entries from one block of `values` to the next, or bytes of `codes`.
  std::size_t stride() const { return stride_; }
  std::size_t bit_words() const { return (features_ + 31) / 32; }

 private:
  void Grow(std::size_t blocks);
  void PutValues(std::size_t block, std::size_t lane, const RowView<T>& row);
  std::size_t StepOf(std::size_t slot, std::size_t step) const;
  void PutIntegers(std::size_t slot, const Inputs<T>& inputs, std::size_t i);
  Examples<T> IntegerRowsOf(std::span<const std::size_t> slots) const;

  std::size_t features_;
  Packing packing_;
  std::size_t stride_;
  std::size_t size_ = 0;
  AlignedVector<T> values_;
  AlignedVector<std::uint32_t> masks_;
  InvertedIndex<T> index_;
  std::optional<IntegerScale> integers_;
  AlignedVector<std::uint8_t> codes_;
  AlignedVector<std::int32_t> integer_norms_;
  AlignedVector<T> factors_;
  std::vector<T> rows_;                  // of the slots of integers, as they are: to be given back
  std::vector<AlignedVector<T>> norms_;  // by term
  std::vector<std::uint8_t> in_use_;
  std::vector<std::size_t> occupied_;
  std::vector<std::uint64_t> versions_;
};

/// What the integers of a row of unit norm are multiplied with: 1 / ||n||, rounded once; 1 for zeros.
template <class T>
T UnitFactor(std::int32_t squared_norm) {
  return squared_norm == 0 ? T(1) : static_cast<T>(1 / std::sqrt(static_cast<double>(squared_norm)));
}

extern template class SupportBlocks<float>;
extern template class SupportBlocks<double>;

}  // namespace okbench
