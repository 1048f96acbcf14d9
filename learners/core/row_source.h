#pragma once
// RowSource: rows of features, as the kernel engine sees them. Examples are one; InternedRows, whose rows are
// made when they are first needed, another.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "learners/core/integer_rows.h"

namespace okbench {

/// One row. `indices` is null for a dense row; else `values[j]` belongs to feature `indices[j]`,
/// in strictly increasing order.
template <class T>
struct RowView {
  const T* values = nullptr;
  const std::uint32_t* indices = nullptr;
  std::size_t count = 0;
};

/// What a row has of features first .. first + count - 1. A dense part counts its features from `first`, a
/// sparse one keeps the indices.
template <class T>
RowView<T> PartOf(const RowView<T>& row, std::size_t first, std::size_t count) {
  if (row.indices == nullptr) return {row.values + first, nullptr, count};
  const std::uint32_t* const end = row.indices + row.count;
  const std::uint32_t* const begin = std::lower_bound(row.indices, end, first);
  const std::uint32_t* const last = std::lower_bound(begin, end, first + count);
  return {row.values + (begin - row.indices), begin, static_cast<std::size_t>(last - begin)};
}

template <class T>
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::size_t size() const = 0;
  virtual std::size_t features() const = 0;
  /// Rows are sparse; else dense.
  virtual bool sparse() const = 0;
  virtual RowView<T> row(std::size_t i) const = 0;
  /// All values are >= 0 (what the histogram intersection kernel needs).
  virtual bool non_negative() const = 0;
  /// Every value is 0 or 1; then bits() is available: a mask of 32-bit words a row.
  virtual bool zero_one() const = 0;
  virtual const std::uint32_t* bits(std::size_t i) const = 0;
  /// Dense rows lie one after the other from here; null where they do not.
  virtual const T* contiguous() const = 0;
  /// The integers that the rows are made of; null where they are not said to be.
  virtual const IntegerRows* integers() const { return nullptr; }

 protected:
  RowSource() = default;
  RowSource(const RowSource&) = default;
  RowSource(RowSource&&) noexcept = default;
  RowSource& operator=(const RowSource&) = default;
  RowSource& operator=(RowSource&&) noexcept = default;
};

}  // namespace okbench
