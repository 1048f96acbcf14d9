#pragma once
// IntegerRows: the integers n_ij that the values of a data set are computed from. Dot products of integers
// are exact in any order of summation.
//
//   x_ij = scale n_ij,   or   x_ij = n_ij / ||n_i|| with unit norm (0 for a row of zeros)
//
// The data set declares its rows as integers, and reading verifies it. The property is never inferred from
// values, so a part of a data set or a chunk of a stream has the same kernel values as the complete set.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"

namespace okbench {

/// How integers are converted to values, and the range of the integers.
struct IntegerScale {
  double scale = 1;        ///< factor of every integer, > 0; 1 with unit norm
  bool unit_norm = false;  ///< whether each row is divided by its Euclidean norm
  /// Smallest and largest integer.
  std::int32_t low = 0, high = 255;

  bool operator==(const IntegerScale&) const = default;
  /// Whether all integers fit in unsigned bytes; otherwise they are stored in 16 bits.
  bool bytes() const { return low >= 0 && high <= 255; }
  /// Whether all sums over `features` features fit in 32 bits: squared norms, dot products and squared
  /// distances of any two rows are below 2^31, and integers fit in 16 bits.
  bool Fits(std::size_t features) const;
};

class IntegerRows {
 public:
  /// An empty set. Throws InvalidArgument unless scale.scale is finite and > 0, and scale.Fits(features).
  IntegerRows(const IntegerScale& scale, std::size_t features);

  /// Appends a row. Throws InvalidArgument for another number of features or an integer out of range.
  void Add(std::span<const std::int32_t> numbers);
  /// Appends row i of another set. Throws InvalidArgument if scales or features differ.
  void Add(const IntegerRows& other, std::size_t i);

  const IntegerScale& scale() const { return scale_; }
  std::size_t features() const { return features_; }
  std::size_t size() const { return squared_norms_.size(); }
  /// Memory of the integers, in bytes.
  std::size_t bytes() const { return codes_.size(); }
  /// Bytes per row: a multiple of 4, padded with zeros.
  std::size_t stride() const { return stride_; }
  /// The stored integers of row i: unsigned 8 bits if scale().bytes(), else signed 16 bits. Aligned to 4
  /// bytes.
  const std::uint8_t* codes(std::size_t i) const { return codes_.data() + i * stride_; }
  std::int32_t number(std::size_t i, std::size_t feature) const;
  /// ||n_i||^2.
  std::int32_t squared_norm(std::size_t i) const { return squared_norms_[i]; }
  /// sum_j n_ij.
  std::int32_t sum(std::size_t i) const { return sums_[i]; }

 private:
  IntegerScale scale_;
  std::size_t features_;
  std::size_t stride_;
  AlignedVector<std::uint8_t> codes_;
  std::vector<std::int32_t> squared_norms_, sums_;
};

/// Writes `rows` (may be null), or reads `count` rows and returns them, null if none were written. Throws
/// InvalidArgument for invalid data.
std::shared_ptr<const IntegerRows> SerializeIntegers(Archive& archive,
                                                     std::shared_ptr<const IntegerRows> rows,
                                                     std::size_t count, std::size_t features);

}  // namespace okbench
