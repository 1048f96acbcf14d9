#pragma once
// Cache files: a header line, a SHA-256 and a payload. A damaged file is treated as missing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// A buffer of numbers and bytes in native byte order. Files with such payloads are valid on one machine
/// only.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  explicit ByteBuffer(std::string bytes) : bytes_(std::move(bytes)) {}

  template <class Number>
  void Put(Number number) {
    Put(&number, sizeof(number));
  }
  void Put(const void* from, std::size_t count) {
    if (count > 0) bytes_.append(static_cast<const char*>(from), count);
  }
  /// Appends the number of elements (64 bits), then the elements.
  template <class T>
  void PutList(const std::vector<T>& list) {
    Put(std::uint64_t{list.size()});
    Put(list.data(), list.size() * sizeof(T));
  }

  /// Take functions read from the front. They throw DataError if too few bytes are left.
  template <class Number>
  Number Take() {
    Number number{};
    Take(&number, sizeof(number));
    return number;
  }
  void Take(void* to, std::size_t count);
  template <class T>
  std::vector<T> TakeList() {
    const auto size = Take<std::uint64_t>();
    if (size > left() / sizeof(T)) Fail();
    std::vector<T> list(size);
    Take(list.data(), list.size() * sizeof(T));
    return list;
  }

  std::size_t left() const { return bytes_.size() - at_; }
  const std::string& bytes() const { return bytes_; }

 private:
  [[noreturn]] static void Fail();

  std::string bytes_;
  std::size_t at_ = 0;
};

/// Returns the payload of the file at `path`. Returns nullopt if the file is missing, does not begin with
/// `first_line`, or fails the check of its digest.
std::optional<std::string> ReadCacheFile(const std::string& path, std::string_view first_line);

/// Writes `first_line`, the digest and the payload to a temporary file, then renames it to `path`. Readers
/// thus never see a partial file. Ignores write errors, because the cache only saves time.
void WriteCacheFile(const std::string& path, std::string_view first_line, std::string_view payload);

}  // namespace okbench
