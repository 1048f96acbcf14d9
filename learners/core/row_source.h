#pragma once
// RowSource: the interface through which the kernel engine reads feature rows. Implemented by Examples and by
// InternedRows, which computes rows on first use.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "learners/core/integer_rows.h"

namespace okbench {

/// A view of one row. `indices` is null for a dense row. For a sparse row, values[j] belongs to feature
/// indices[j], and indices increase strictly.
template <class T>
struct RowView {
  const T* values = nullptr;
  const std::uint32_t* indices = nullptr;
  std::size_t count = 0;
};

/// Restricts a row to the features first .. first + count - 1. A dense result counts its features from 0
/// again; a sparse result keeps the original indices.
template <class T>
RowView<T> PartOf(const RowView<T>& row, std::size_t first, std::size_t count) {
  if (row.indices == nullptr) return {row.values + first, nullptr, count};
  const std::uint32_t* const end = row.indices + row.count;
  const std::uint32_t* const begin = std::lower_bound(row.indices, end, first);
  const std::uint32_t* const last = std::lower_bound(begin, end, first + count);
  return {row.values + (begin - row.indices), begin, static_cast<std::size_t>(last - begin)};
}

/// The squared norms of immutable rows, computed on first use. Thread-safe.
template <class T>
class NormCache {
 public:
  /// The norms, which `compute` returns, one per row.
  template <class Compute>
  const std::vector<T>& Get(const Compute& compute) {
    // Without std::call_once, which enters the kernel after each first call: a row of a stream has its own
    // cache.
    if (!ready_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      if (!ready_.load(std::memory_order_relaxed)) {
        norms_ = compute();
        ready_.store(true, std::memory_order_release);
      }
    }
    return norms_;
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> ready_ = false;
  std::vector<T> norms_;
};

/// Const access is thread-safe unless a subclass adds rows on demand.
template <class T>
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::size_t size() const = 0;
  virtual std::size_t features() const = 0;
  /// Whether rows are sparse.
  virtual bool sparse() const = 0;
  virtual RowView<T> row(std::size_t i) const = 0;
  /// Whether all values are >= 0, as the histogram intersection kernel requires.
  virtual bool non_negative() const = 0;
  /// Whether every value is 0 or 1 and the rows are not wide (IsWide). If so, bits(i) returns the mask of row
  /// i in 32-bit words.
  virtual bool zero_one() const = 0;
  virtual const std::uint32_t* bits(std::size_t i) const = 0;
  /// Start of the row-major matrix of all dense rows; null if rows are not contiguous.
  virtual const T* contiguous() const = 0;
  /// Keeps the squared norms of the rows for the next engine; null for rows that change.
  virtual NormCache<T>* norm_cache() const { return nullptr; }
  /// The integers that the rows are computed from; null if the rows are not declared as integers.
  virtual const IntegerRows* integers() const { return nullptr; }

 protected:
  RowSource() = default;
  RowSource(const RowSource&) = default;
  RowSource(RowSource&&) noexcept = default;
  RowSource& operator=(const RowSource&) = default;
  RowSource& operator=(RowSource&&) noexcept = default;
};

/// Whether rows are sparse, and have at least 4096 features and fewer nonzeros than one feature in 32. Packed
/// blocks of such rows exceed every cache, their bit masks are larger than their indices, and a query shares
/// few features with them.
template <class T>
bool IsWide(const RowSource<T>& rows) {
  constexpr std::size_t kFeatures = 4096, kShare = 32;
  if (!rows.sparse() || rows.features() < kFeatures) return false;
  std::size_t nonzeros = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) nonzeros += rows.row(i).count;
  return nonzeros * kShare < rows.features() * rows.size();
}

}  // namespace okbench
