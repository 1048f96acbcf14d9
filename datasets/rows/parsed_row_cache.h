#pragma once
// ParsedRowCache: caches the parsed rows of data files in the folder `rows` of the cache, so that text is
// decompressed and parsed only once. The key covers the digests of the files, the reader's arguments and a
// digest of the readers' source code, so entries cannot become stale.

#include <cstdint>
#include <optional>
#include <string>

#include "datasets/rows/raw_rows.h"

namespace okbench {

/// A folder of cached rows with a size limit. The least recently used files are evicted first. Safe to use
/// from several processes.
class ParsedRowCache {
 public:
  /// Default limit of the total size in bytes (1 GiB).
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

  /// `folder` is the folder of the whole cache, `most` the limit of the total size in bytes.
  explicit ParsedRowCache(const std::string& folder, std::uint64_t most = kMaxBytes);

  /// Returns the rows stored under this identity and marks them as used. Returns nullopt if they are missing
  /// or damaged.
  template <class T>
  std::optional<RawRows<T>> Find(const std::string& identity) const;
  /// Stores rows, then evicts old files. Does nothing if the folder is not writable or the rows exceed the
  /// limit.
  template <class T>
  void Keep(const std::string& identity, const RawRows<T>& rows) const;

  /// Removes all entries and returns their size in bytes. Throws DataError if a file cannot be removed.
  std::uint64_t Clean() const;

 private:
  std::string PathOf(const std::string& identity, std::size_t bytes_a_value) const;
  void EvictOldFiles() const;

  std::string folder_;
  std::uint64_t most_;
};

}  // namespace okbench
