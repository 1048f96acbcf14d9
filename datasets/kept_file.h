#pragma once
// Files of the cache that save work: whole with a digest of their own, or as good as not there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Numbers and bytes one after the other, as they lie in memory: such files are for this machine.
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::string bytes) : bytes_(std::move(bytes)) {}

  template <class Number>
  void Put(Number number) {
    Put(&number, sizeof(number));
  }
  void Put(const void* from, std::size_t count) {
    if (count > 0) bytes_.append(static_cast<const char*>(from), count);
  }
  /// How many there are, then each of them.
  template <class T>
  void PutList(const std::vector<T>& list) {
    Put(std::uint64_t{list.size()});
    Put(list.data(), list.size() * sizeof(T));
  }

  /// These throw DataError where the bytes end early.
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

/// The payload of a file that begins with this line and whose digest fits; nothing where there is none.
std::optional<std::string> ReadKept(const std::string& path, std::string_view first_line);

/// Written beside, then renamed: a file of this name is whole. The cache saves time only: a folder that
/// cannot be written is no error.
void Keep(const std::string& path, std::string_view first_line, std::string_view payload);

}  // namespace okbench
