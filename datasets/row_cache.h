#pragma once
// RowCache: the rows of a part as its format's reader gave them, kept in the cache's folder `rows`, so that
// text is unpacked and parsed once. What is kept is known by the digests of the files' content, what the
// reader was asked for and a digest of the readers' own sources: it cannot be stale.

#include <cstdint>
#include <optional>
#include <string>

#include "datasets/raw_rows.h"

namespace okbench {

class RowCache {
 public:
  /// Together no more than this; what was used longest ago goes first.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  /// `folder`: of the whole cache; `most`: bytes of all files.
  explicit RowCache(const std::string& folder, std::uint64_t most = kMostBytes);

  /// The rows kept under this identity; none where there are none, or they are damaged.
  template <class T>
  std::optional<RawRows<T>> Find(const std::string& identity) const;
  /// A folder that cannot be written keeps nothing.
  template <class T>
  void Keep(const std::string& identity, const RawRows<T>& rows) const;

  /// Removes all that is kept; returns how many bytes that were. Throws DataError where something stays.
  std::uint64_t Clean() const;

 private:
  std::string PathOf(const std::string& identity, std::size_t bytes_a_value) const;
  void MakeRoom() const;

  std::string folder_;
  std::uint64_t most_;
};

}  // namespace okbench
