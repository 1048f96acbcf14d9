#pragma once
// PackedSymmetric: symmetric matrix that grows and shrinks by one row and column; stores one triangle.
//
// Row i stores its entries j < i, padded with zeros to a multiple of eight. The diagonal is stored
// separately. A product reads each entry once for both triangles. The order of every sum is fixed,
// independent of the vector width: eight lanes, combined by a fixed tree. Not thread-safe.

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
  /// Writes the full row i.
  void Row(std::size_t i, std::vector<double>& out) const;

  /// out = A x. Complexity: O(n^2). REQUIRES: `x` has size() entries.
  void Product(std::span<const double> x, std::vector<double>& out);
  /// A += factor v v'. Complexity: O(n^2). REQUIRES: `v` has size() entries.
  void AddOuter(double factor, std::span<const double> v);
  /// A *= factor.
  void Scale(double factor);
  /// A += factor B. REQUIRES: B has the size of A.
  void Add(double factor, const PackedSymmetric& b);
  /// Appends a row and column: `row` are the entries with the existing rows, `diagonal` is the new diagonal
  /// entry.
  void Append(std::span<const double> row, double diagonal);
  /// Removes row and column i. Later rows and columns move up.
  void Remove(std::size_t i);

  void Serialize(Archive& archive);

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t Padded(std::size_t n) { return (n + kLanes - 1) / kLanes * kLanes; }
  // Start of row i: rows of one group of eight are eight entries longer than those of the group before.
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
