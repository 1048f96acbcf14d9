#include "datasets/files/kept_file.h"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/sha256.h"

namespace okbench {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigestLength = 64;

}  // namespace

void ByteBuffer::Fail() { throw DataError("a cache file is truncated"); }

void ByteBuffer::Take(void* to, std::size_t count) {
  if (left() < count) Fail();
  if (count == 0) return;  // `to` may be null
  std::memcpy(to, bytes_.data() + at_, count);
  at_ += count;
}

std::optional<std::string> ReadCacheFile(const std::string& path, std::string_view first_line) {
  std::error_code none;
  const auto size = fs::is_regular_file(path, none) ? fs::file_size(path, none) : 0;
  std::ifstream file(path, std::ios::binary);
  if (none || !file) return std::nullopt;
  const std::size_t before = first_line.size() + kDigestLength;
  if (size < before) return std::nullopt;
  std::string head(before, '\0'), payload(size - before, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  file.read(payload.data(), static_cast<std::streamsize>(payload.size()));
  if (!file || !head.starts_with(first_line) || head.substr(first_line.size()) != Sha256Hex(payload))
    return std::nullopt;
  return payload;
}

void WriteCacheFile(const std::string& path, std::string_view first_line, std::string_view payload) {
  static std::atomic<int> files{0};
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  const std::string own = path + ".part-" + std::to_string(getpid()) + "-" + std::to_string(++files);
  {
    std::ofstream file(own, std::ios::binary);
    file << first_line << Sha256Hex(payload) << payload;
    file.flush();
    if (!file) {
      file.close();
      fs::remove(own, ignored);
      return;
    }
  }
  fs::rename(own, path, ignored);
  if (ignored) fs::remove(own, ignored);
}

}  // namespace okbench
