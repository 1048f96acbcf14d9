#pragma once
// InternedRows: the joint features of (example, output) pairs, made when a pair is first asked for. Outputs
// that cannot be listed beforehand, boxes for instance, have their rows here.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "learners/core/row_source.h"

namespace okbench {

/// Rows are dense, never change and never move. Not thread-safe while rows are added.
template <class T>
class InternedRows final : public RowSource<T> {
 public:
  struct Pair {
    std::uint32_t example = 0;
    std::uint32_t output = 0;
    bool operator<(const Pair& other) const {
      return example != other.example ? example < other.example : output < other.output;
    }
  };
  /// Fills the features of a pair, all 0 before.
  using Features = std::function<void(const Pair& pair, std::span<T> row)>;

  /// `non_negative` promises that no feature is below 0. Throws InvalidArgument for no features.
  InternedRows(std::size_t features, bool non_negative, Features fill);

  /// The row of a pair; made by the first call. Throws InvalidArgument for a value that is not finite, or
  /// below 0 against the promise; there is no such row then.
  std::uint32_t Row(const Pair& pair);
  const Pair& pair(std::size_t row) const { return pairs_[row]; }

  std::size_t size() const override { return pairs_.size(); }
  std::size_t features() const override { return features_; }
  bool sparse() const override { return false; }
  RowView<T> row(std::size_t i) const override { return {At(i), nullptr, features_}; }
  bool non_negative() const override { return non_negative_; }
  bool zero_one() const override { return false; }
  const std::uint32_t* bits(std::size_t /*i*/) const override { return nullptr; }
  const T* contiguous() const override { return nullptr; }

 private:
  static constexpr std::size_t kChunkRows = 64;
  T* At(std::size_t i) const { return chunks_[i / kChunkRows].get() + i % kChunkRows * features_; }

  std::size_t features_;
  bool non_negative_;
  Features fill_;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<Pair> pairs_;
  std::map<Pair, std::uint32_t> places_;
};

extern template class InternedRows<float>;
extern template class InternedRows<double>;

}  // namespace okbench
