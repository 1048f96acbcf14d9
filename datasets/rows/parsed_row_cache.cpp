#include "datasets/rows/parsed_row_cache.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"
#include "datasets/files/kept_file.h"
#include "datasets/readers_digest.h"

namespace okbench {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFirstLine = "okbench rows 1\n";

// Returns the values as bytes if all are integers from 0 to 255, such as pixels and counts.
template <class T>
std::optional<std::vector<std::uint8_t>> AsBytes(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0 && values[i] <= 255)) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(values[i]);
    if (static_cast<T>(bytes[i]) != values[i] || std::signbit(values[i])) return std::nullopt;
  }
  return bytes;
}

template <class T>
ByteBuffer Pack(const RawRows<T>& rows) {
  ByteBuffer packed;
  packed.Put(std::uint64_t{rows.features});
  const auto bytes = AsBytes(rows.values);
  packed.Put(static_cast<std::uint8_t>(bytes ? 1 : sizeof(T)));
  if (bytes)
    packed.PutList(*bytes);
  else
    packed.PutList(rows.values);
  const std::vector<std::uint64_t> offsets(rows.offsets.begin(), rows.offsets.end());
  packed.PutList(offsets);
  packed.PutList(rows.indices);
  packed.PutList(rows.labels);
  packed.PutList(rows.real.targets);
  packed.PutList(rows.real.truth);
  return packed;
}

// REQUIRES: the digest of `bytes` has been verified.
template <class T>
RawRows<T> Unpack(std::string bytes) {
  ByteBuffer packed(std::move(bytes));
  RawRows<T> rows;
  rows.features = packed.Take<std::uint64_t>();
  if (packed.Take<std::uint8_t>() == 1) {
    const auto values = packed.TakeList<std::uint8_t>();
    rows.values.assign(values.begin(), values.end());
  } else {
    rows.values = packed.TakeList<T>();
  }
  const auto offsets = packed.TakeList<std::uint64_t>();
  rows.offsets.assign(offsets.begin(), offsets.end());
  rows.indices = packed.TakeList<std::uint32_t>();
  rows.labels = packed.TakeList<std::int32_t>();
  rows.real.targets = packed.TakeList<double>();
  rows.real.truth = packed.TakeList<double>();
  return rows;
}

struct KeptRows {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

// All files of the folder, least recently used first.
std::vector<KeptRows> ListRows(const std::string& folder) {
  std::vector<KeptRows> list;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    std::error_code gone, unknown;  // another process may remove the file
    if (!entry.is_regular_file(gone)) continue;
    const std::uint64_t bytes = entry.file_size(gone);
    const auto used = entry.last_write_time(unknown);
    if (!gone && !unknown) list.push_back({.path = entry.path(), .bytes = bytes, .used = used});
  }
  std::sort(list.begin(), list.end(), [](const KeptRows& a, const KeptRows& b) { return a.used < b.used; });
  return list;
}

std::uint64_t BytesOf(const std::vector<KeptRows>& list) {
  std::uint64_t bytes = 0;
  for (const KeptRows& entry : list) bytes += entry.bytes;
  return bytes;
}

}  // namespace

ParsedRowCache::ParsedRowCache(const std::string& folder, std::uint64_t most)
    : folder_(folder + "/rows"), most_(most) {}

std::string ParsedRowCache::PathOf(const std::string& identity, std::size_t bytes_a_value) const {
  const std::string all = std::string(kReadersDigest) + "|" + std::to_string(bytes_a_value) + "|" + identity;
  return folder_ + "/" + Sha256Hex(all).substr(0, 32) + ".rows";
}

template <class T>
std::optional<RawRows<T>> ParsedRowCache::Find(const std::string& identity) const {
  const std::string path = PathOf(identity, sizeof(T));
  auto payload = ReadCacheFile(path, kFirstLine);
  if (!payload) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return Unpack<T>(std::move(*payload));
}

template <class T>
void ParsedRowCache::Keep(const std::string& identity, const RawRows<T>& rows) const {
  const ByteBuffer packed = Pack(rows);
  if (packed.bytes().size() > most_) return;
  okbench::WriteCacheFile(PathOf(identity, sizeof(T)), kFirstLine, packed.bytes());
  EvictOldFiles();
}

void ParsedRowCache::EvictOldFiles() const {
  const std::vector<KeptRows> list = ListRows(folder_);
  std::uint64_t bytes = BytesOf(list);
  for (const KeptRows& entry : list) {
    if (bytes <= most_) return;
    std::error_code ignored;
    fs::remove(entry.path, ignored);
    bytes -= entry.bytes;
  }
}

std::uint64_t ParsedRowCache::Clean() const {
  const std::uint64_t bytes = BytesOf(ListRows(folder_));
  std::error_code error;
  fs::remove_all(folder_, error);
  if (error) throw DataError(folder_ + ": cannot be removed: " + error.message());
  return bytes;
}

template std::optional<RawRows<float>> ParsedRowCache::Find<float>(const std::string&) const;
template std::optional<RawRows<double>> ParsedRowCache::Find<double>(const std::string&) const;
template void ParsedRowCache::Keep<float>(const std::string&, const RawRows<float>&) const;
template void ParsedRowCache::Keep<double>(const std::string&, const RawRows<double>&) const;

}  // namespace okbench
