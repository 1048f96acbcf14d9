#pragma once
// SupportBlocks: the inputs of a support set, packed for the kernel engine.
//
// Slots are grouped in blocks of 16, feature-major inside a block (block[feature][16]). 0/1 data is packed as
// bit masks instead, and wide sparse data as an inverted index. Owns its copy of the rows. Each block carries
// a version that grows with every row put into it, so that look-ahead values can tell what is stale. Not
// thread-safe while being changed.

#include <cstddef>
#include <cstdint>
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
};

template <class T>
class SupportBlocks {
 public:
  static constexpr std::size_t kBlock = 16;

  /// An empty set of rows of `features` features, for a kernel of so many terms.
  SupportBlocks(std::size_t features, Packing packing, std::size_t terms = 1);

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
  /// Of the slots, in the features of a term.
  const T* squared_norms(std::size_t term) const { return norms_[term].data(); }
  /// Entries from one block of `values` to the next.
  std::size_t stride() const { return stride_; }
  std::size_t bit_words() const { return (features_ + 31) / 32; }

 private:
  void Grow(std::size_t blocks);
  void PutValues(std::size_t block, std::size_t lane, const RowView<T>& row);

  std::size_t features_;
  Packing packing_;
  std::size_t stride_;
  std::size_t size_ = 0;
  AlignedVector<T> values_;
  AlignedVector<std::uint32_t> masks_;
  InvertedIndex<T> index_;
  std::vector<AlignedVector<T>> norms_;  // by term
  std::vector<std::uint8_t> in_use_;
  std::vector<std::size_t> occupied_;
  std::vector<std::uint64_t> versions_;
};

extern template class SupportBlocks<float>;
extern template class SupportBlocks<double>;

}  // namespace okbench
