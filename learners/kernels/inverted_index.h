#pragma once
// InvertedIndex: the rows of a support set by feature: for each feature the slots that have it, with their
// values. Of wide sparse rows a query then touches only what it has in common with the set. Features are
// visited in the query's order, so that each slot's sum is the chain of fused multiply-adds that packed rows
// have, less steps that add an exact 0. Not thread-safe while being changed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/examples.h"

namespace okbench {

template <class T>
struct Posting {
  std::uint32_t slot;
  T value;
};

template <class T>
class InvertedIndex {
 public:
  explicit InvertedIndex(std::size_t features) : lists_(features) {}

  /// Puts a sparse row into a slot, in place of what was there.
  void Put(std::size_t slot, const RowView<T>& row) {
    if (slot >= held_.size()) held_.resize(slot + 1);
    for (const std::uint32_t feature : held_[slot]) Erase(feature, slot);
    held_[slot].assign(row.indices, row.indices + row.count);
    for (std::size_t j = 0; j < row.count; ++j)
      lists_[row.indices[j]].push_back({static_cast<std::uint32_t>(slot), row.values[j]});
  }

  /// Adds the row in a slot to lists of sparse rows.
  void Get(std::size_t slot, std::vector<std::uint32_t>& indices, std::vector<T>& values) const {
    for (const std::uint32_t feature : held_[slot]) {
      std::size_t place = 0;
      while (lists_[feature][place].slot != slot) ++place;
      indices.push_back(feature);
      values.push_back(lists_[feature][place].value);
    }
  }

  /// The slots that have a feature, in no order.
  std::span<const Posting<T>> postings(std::size_t feature) const { return lists_[feature]; }

 private:
  void Erase(std::uint32_t feature, std::size_t slot) {
    auto& list = lists_[feature];
    std::size_t place = 0;
    while (list[place].slot != slot) ++place;
    list[place] = list.back();
    list.pop_back();
  }

  std::vector<std::vector<Posting<T>>> lists_;
  std::vector<std::vector<std::uint32_t>> held_;  // features of each slot
};

}  // namespace okbench
