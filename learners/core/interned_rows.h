#pragma once
// InternedRows: the joint feature vectors of (example, output) pairs, computed on first use and cached. For
// outputs that cannot be enumerated in advance, e.g. boxes.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "learners/core/row_source.h"

namespace okbench {

/// Rows are dense and immutable, and their addresses are stable. Not thread-safe while rows are added.
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
  /// Writes the features of a pair into `row`, which is initialised to 0.
  using Features = std::function<void(const Pair& pair, std::span<T> row)>;

  /// `non_negative` declares that every feature is >= 0. Throws InvalidArgument if features = 0.
  InternedRows(std::size_t features, bool non_negative, Features fill);

  /// The row index of a pair; the first call computes the row. Throws InvalidArgument, without adding the
  /// row, for a feature that is not finite, or negative although `non_negative` was declared.
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
