#pragma once
// PackedSymmetric: a symmetric matrix that grows and shrinks by a row and column at a time, half of it held.
//
// Row i is its entries j < i, filled up with zeros to a multiple of eight; the diagonal lies apart. A
// product reads each entry once, for both places where it stands. All sums have one order, whatever the
// width of vectors: eight lanes, and a fixed tree over them.

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"

namespace okbench {

class PackedSymmetric {
 public:
  std::size_t size() const { return diagonal_.size(); }
  double operator()(std::size_t i, std::size_t j) const;
  /// Row i, all of it.
  void Row(std::size_t i, std::vector<double>& out) const;

  /// out = A x; x has size() entries. O(n^2).
  void Product(std::span<const double> x, std::vector<double>& out);
  /// A += factor v v'; v has size() entries. O(n^2).
  void AddOuter(double factor, std::span<const double> v);
  /// A new last row and column: the entries with those that are there, and the one of the diagonal.
  void Append(std::span<const double> row, double diagonal);
  /// Drops row and column i; those after it move up.
  void Remove(std::size_t i);

  void Serialize(Archive& archive);

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t Padded(std::size_t n) { return (n + kLanes - 1) / kLanes * kLanes; }
  // Where row i begins: each eight rows are eight entries longer than the eight before.
  static constexpr std::size_t Offset(std::size_t i) {
    if (i == 0) return 0;
    const std::size_t group = (i - 1) / kLanes, place = (i - 1) % kLanes;
    return kLanes * kLanes * group * (group + 1) / 2 + place * kLanes * (group + 1);
  }
  void Pad(std::span<const double> x);

  std::vector<double> diagonal_;
  AlignedVector<double> rows_;
  AlignedVector<double> x_, sums_;  // padded scratch
};

}  // namespace okbench
