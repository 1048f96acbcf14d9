#pragma once
// IntegerRows: the integers that rows are made of, for dot products that are exact in any order.
//
// x_ij = scale n_ij, or n_ij / ||n_i|| with unit norm (0 for a row of zeros). Whether rows are so is said of
// a data set beforehand and proved while it is read; it is never guessed from values, so that a part of a
// set, or a chunk of a stream, has the same kernel values as the whole.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"

namespace okbench {

/// How integers make values, and which they may be.
struct IntegerScale {
  double scale = 1;        ///< > 0; 1 with unit norm
  bool unit_norm = false;  ///< each row is divided by its norm
  std::int32_t low = 0, high = 255;

  bool operator==(const IntegerScale&) const = default;
  /// All numbers are bytes; else 16 bits.
  bool bytes() const { return low >= 0 && high <= 255; }
  /// Whether all sums over so many features fit: squared norms, dot products and squared distances of any two
  /// rows are below 2^31, and numbers have 16 bits.
  bool Fits(std::size_t features) const;
};

class IntegerRows {
 public:
  /// No rows yet. Throws InvalidArgument where the numbers do not fit so many features.
  IntegerRows(const IntegerScale& scale, std::size_t features);

  /// One more row. Throws InvalidArgument for another number of features, or a number outside of the range.
  void Add(std::span<const std::int32_t> numbers);
  /// A row of another such set. Throws InvalidArgument when scales or features differ.
  void Add(const IntegerRows& other, std::size_t i);

  const IntegerScale& scale() const { return scale_; }
  std::size_t features() const { return features_; }
  std::size_t size() const { return squared_norms_.size(); }
  std::size_t bytes() const { return codes_.size(); }
  /// Bytes of a row: a multiple of 4, zeros after the last number.
  std::size_t stride() const { return stride_; }
  /// The numbers of row i as they lie in memory: 8 bits without a sign where scale().bytes(), else 16 bits
  /// with one. Aligned to 4 bytes.
  const std::uint8_t* codes(std::size_t i) const { return codes_.data() + i * stride_; }
  std::int32_t number(std::size_t i, std::size_t feature) const;
  /// ||n_i||^2 and the sum of n_ij over j.
  std::int32_t squared_norm(std::size_t i) const { return squared_norms_[i]; }
  std::int32_t sum(std::size_t i) const { return sums_[i]; }

 private:
  IntegerScale scale_;
  std::size_t features_;
  std::size_t stride_;
  AlignedVector<std::uint8_t> codes_;
  std::vector<std::int32_t> squared_norms_, sums_;
};

/// Writes rows, or reads as many as there are to be; null where there are none. Throws InvalidArgument for
/// what cannot be such rows.
std::shared_ptr<const IntegerRows> SerializeIntegers(Archive& archive, std::shared_ptr<const IntegerRows> rows,
                                           std::size_t count, std::size_t features);

}  // namespace okbench
