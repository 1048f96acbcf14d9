#pragma once
// InvertedIndex: for each feature, the slots whose rows contain it, with their values. For wide sparse rows,
// a query reads only the features that it shares with the set. Features are visited in the order of the
// query. The sum of a slot is therefore the same chain of fused multiply-adds as for packed rows, except for
// steps that add an exact 0. Not thread-safe while being changed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/examples.h"

namespace okbench {

template <class T>
struct IndexEntry {
  std::uint32_t slot;
  T value;
};

template <class T>
class InvertedIndex {
 public:
  explicit InvertedIndex(std::size_t features) : lists_(features) {}

  /// Stores a sparse row in a slot, replacing its row if there is one.
  void Put(std::size_t slot, const RowView<T>& row) {
    if (slot >= features_.size()) features_.resize(slot + 1);
    for (const std::uint32_t feature : features_[slot]) Erase(feature, slot);
    features_[slot].assign(row.indices, row.indices + row.count);
    for (std::size_t j = 0; j < row.count; ++j)
      lists_[row.indices[j]].push_back({static_cast<std::uint32_t>(slot), row.values[j]});
  }

  /// Appends the row in a slot to the lists of a sparse matrix.
  void Get(std::size_t slot, std::vector<std::uint32_t>& indices, std::vector<T>& values) const {
    for (const std::uint32_t feature : features_[slot]) {
      std::size_t place = 0;
      while (lists_[feature][place].slot != slot) ++place;
      indices.push_back(feature);
      values.push_back(lists_[feature][place].value);
    }
  }

  /// The slots whose rows contain a feature, in unspecified order.
  std::span<const IndexEntry<T>> postings(std::size_t feature) const { return lists_[feature]; }

 private:
  void Erase(std::uint32_t feature, std::size_t slot) {
    auto& list = lists_[feature];
    std::size_t place = 0;
    while (list[place].slot != slot) ++place;
    list[place] = list.back();
    list.pop_back();
  }

  std::vector<std::vector<IndexEntry<T>>> lists_;
  std::vector<std::vector<std::uint32_t>> features_;  // [slot] features of its row
};

}  // namespace okbench
