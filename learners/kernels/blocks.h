#pragma once
// SupportBlocks: the inputs of a support set, packed for the kernel engine.
//
// Slots are grouped in blocks of 16. Layout by packing:
// - dense: feature-major, block[feature][16].
// - 0/1 data: bit masks, block[word][16].
// - wide sparse data: an inverted index over all blocks.
// - integers: 4 bytes of each slot per step, block[step][16][4 bytes].
// The version of a block increases with every row put into it, so stale look-ahead values can be detected.
// Owns copies of the rows. Not thread-safe while being changed.

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

/// Rows with the squared norms that RBF kernels need. Created by KernelEngine::Prepare. Refers to the rows,
/// which must outlive it.
template <class T>
struct Inputs {
  const RowSource<T>* rows = nullptr;
  std::size_t terms = 1;         ///< terms of the kernel
  std::vector<T> squared_norms;  ///< [row][term]; empty for kernels that do not need them
  bool as_integers = false;      ///< whether kernel values are computed from the rows' integers
  T squared_norm(std::size_t i, std::size_t term) const {
    return squared_norms.empty() ? T(0) : squared_norms[i * terms + term];
  }
};

/// The inputs of a data set, with access to its labels.
template <class T>
struct ExampleInputs : Inputs<T> {
  const Examples<T>* examples = nullptr;
};

/// How rows are stored. The packing does not change the bits of a kernel value.
enum class Packing {
  kDense,     ///< feature-major blocks
  kBits,      ///< bit masks; rows and queries must be 0/1 data
  kInverted,  ///< inverted index; rows and queries must be sparse
  kBytes,     ///< 8-bit integers minus 128; rows and queries must have the same scale
  kWords,     ///< 16-bit integers; rows and queries must have the same scale
};

template <class T>
class SupportBlocks {
 public:
  static constexpr std::size_t kBlock = 16;

  /// An empty set for rows with `features` features and a kernel with `terms` terms.
  SupportBlocks(std::size_t features, Packing packing, std::size_t terms = 1);
  /// An empty set of integer rows, stored as 8-bit integers if `bytes`, else as 16-bit integers.
  SupportBlocks(std::size_t features, const IntegerScale& scale, bool bytes);

  /// Stores row i of the inputs in a slot, replacing its row if there is one. Grows the set as needed. Throws
  /// InvalidArgument if the packing cannot store the row.
  void Put(std::size_t slot, const Inputs<T>& inputs, std::size_t i);
  /// Empties a slot. Its kernel values are then undefined and not counted.
  void Remove(std::size_t slot);

  bool in_use(std::size_t slot) const { return in_use_[slot] != 0; }
  /// Copies the rows in these slots: sparse if the packing is kInverted, else dense. REQUIRES: the slots are
  /// in use.
  Examples<T> Rows(std::span<const std::size_t> slots) const;

  std::size_t features() const { return features_; }
  Packing packing() const { return packing_; }
  /// Number of slots in use.
  std::size_t size() const { return size_; }
  std::size_t blocks() const { return occupied_.size(); }
  /// Number of slots in all blocks, used or not: the length of a kernel row.
  std::size_t slots() const { return blocks() * kBlock; }
  /// Number of slots in use in one block.
  std::size_t occupied(std::size_t block) const { return occupied_[block]; }
  /// Number of rows put into a block so far.
  std::uint64_t version(std::size_t block) const { return versions_[block]; }

  const T* values() const { return values_.data(); }
  const std::uint32_t* masks() const { return masks_.data(); }
  const InvertedIndex<T>& index() const { return index_; }
  /// Scale of the integers; empty for other packings.
  const std::optional<IntegerScale>& integers() const { return integers_; }
  const std::uint8_t* codes() const { return codes_.data(); }
  /// 4-byte steps per slot: 4 integers of 8 bits or 2 of 16 bits each.
  std::size_t steps() const { return (features_ * (packing_ == Packing::kBytes ? 1 : 2) + 3) / 4; }
  /// ||n||^2 of the integers, by slot.
  const std::int32_t* integer_norms() const { return integer_norms_.data(); }
  /// 1 / ||n|| by slot with unit norm; else null.
  const T* factors() const { return factors_.empty() ? nullptr : factors_.data(); }
  /// Squared norms by slot, over the features of one term.
  const T* squared_norms(std::size_t term) const { return norms_[term].data(); }
  /// At least the largest squared norm of a slot, over the features of one term.
  T largest_norm(std::size_t term) const { return largest_norms_[term]; }
  /// Distance between blocks: entries of values(), or bytes of codes().
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
  std::vector<T> rows_;                  // real-valued copies of integer rows, for Rows()
  std::vector<AlignedVector<T>> norms_;  // [term][slot]
  std::vector<T> largest_norms_;         // by term, of all rows put into the set so far
  std::vector<std::uint8_t> in_use_;
  std::vector<std::size_t> occupied_;
  std::vector<std::uint64_t> versions_;
};

/// The factor 1 / ||n|| of a row with unit norm, computed in double precision; 1 for a row of zeros.
template <class T>
T UnitFactor(std::int32_t squared_norm) {
  return squared_norm == 0 ? T(1) : static_cast<T>(1 / std::sqrt(static_cast<double>(squared_norm)));
}

extern template class SupportBlocks<float>;
extern template class SupportBlocks<double>;

}  // namespace okbench
