#pragma once
// Archive: everything that decides what a learner does next, written field by field, or read back in the same
// order. One function of a class does both:
//
//   void Serialize(Archive& archive) { archive.Field("t", t_); archive.Field("members", members_); }
//
// A field is its name, its type, how many values, and these, little-endian: the same bytes on every machine,
// and the same bits of every number read back. Reading checks each of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace okbench {

class Archive {
 public:
  /// Writes.
  Archive() = default;
  /// Reads what another one has written.
  explicit Archive(std::string bytes) : reading_(true), bytes_(std::move(bytes)) {}

  bool reading() const { return reading_; }
  /// What has been written.
  const std::string& bytes() const { return bytes_; }

  /// One number, truth value or enumerator. Reading throws InvalidArgument where another field stands, as all
  /// of these do.
  template <class V>
  requires std::is_arithmetic_v<V> || std::is_enum_v<V>
  void Field(const char* name, V& value) { Values(name, &value, 1); }

  /// A list of numbers of any length.
  template <class V, class Allocator>
  requires std::is_arithmetic_v<V>
  void Field(const char* name, std::vector<V, Allocator>& values) {
    const std::size_t count = Head(name, TypeOf<V>(), sizeof(V), values.size());
    if (reading_) values.resize(count);
    Move(values.data(), sizeof(V), count);
  }
  void Field(const char* name, std::vector<bool>& values);

  template <class V, std::size_t kCount>
  void Field(const char* name, std::array<V, kCount>& values) {
    Values(name, values.data(), kCount);
  }

  /// A list whose length the reader knows already: another one is an error.
  template <class V>
  void Fixed(const char* name, V& values) {
    Values(name, values.data(), values.size());
  }

  /// The same of numbers that lie one after the other.
  template <class V>
  void Values(const char* name, V* values, std::size_t count) {
    const std::size_t have = Head(name, TypeOf<V>(), sizeof(V), count);
    if (have != count) Fail(name, "has " + std::to_string(have) + " values, not " + std::to_string(count));
    Move(values, sizeof(V), count);
  }

  /// Throws InvalidArgument when something is left to read.
  void Finish() const;
  [[noreturn]] static void Fail(const char* name, const std::string& cause);

 private:
  template <class V>
  static constexpr char TypeOf() {
    if (std::is_floating_point_v<V>) return 'f';
    if (std::is_same_v<V, bool>) return 'b';
    return std::is_enum_v<V> || std::is_unsigned_v<V> ? 'u' : 'i';
  }
  // Writes the head of a field, or reads it; the number of values.
  std::size_t Head(const char* name, char type, std::size_t width, std::size_t count);
  void Move(void* values, std::size_t width, std::size_t count);
  std::uint64_t Whole(std::uint64_t value);

  bool reading_ = false;
  std::string bytes_;
  std::size_t place_ = 0;
};

}  // namespace okbench
